#compdef verlgen
# Completion of verlgen's words in zsh 5 and later. Printed by `verlgen completion zsh`.

_verlgen() {
    local program=${(Q)words[1]/#\~/$HOME} word=$IPREFIX$PREFIX row candidate
    local -a unfinished finished anywhere
    # The program that is being typed answers; behind an alias, the one on the path.
    whence -p -- $program >/dev/null || program=verlgen
    # Behind an open quotation mark, $word is what follows it: '~data.seed' needs one in zsh. Several
    # overrides in one argument are left alone.
    if [[ $word != *[[:space:]]* ]]; then
        for row in ${(f)"$($program completion words -- \
            "${(j: :)words[1,CURRENT-1]} $word" 2>/dev/null </dev/null)"}; do
            candidate=${row%%$'\t'*}
            [[ $candidate == ${(b)word}* ]] || anywhere=(-U)
            row=${candidate//:/\\:}:${row#*$'\t'}
            if [[ $candidate == *[=./] ]]; then
                unfinished+=($row)
            else
                finished+=($row)
            fi
        done
    fi
    if (( ! $#unfinished && ! $#finished )); then
        compset -P '*='
        _files
        return
    fi
    # Candidates that do not begin with the word replace it, one after the other.
    (( $#anywhere && $#unfinished + $#finished > 1 )) && compstate[insert]=menu
    # -Q: our candidates need no quoting, and a tilde in one must stay bare.
    _describe -V verlgen finished -Q $anywhere -- unfinished -Q -S '' $anywhere
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    # zsh loaded this file as the function _verlgen, from a folder in $fpath.
    _verlgen "$@"
else
    compdef _verlgen verlgen
fi
