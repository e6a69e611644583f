# Completion of verlgen's words in bash 3.2 and later. Printed by `verlgen completion bash`.

_verlgen() {
    local program=${1/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT}
    local word=${line##*[[:space:]]} kept='' tail breaks='' char candidate others=0
    # The program that is being typed answers; behind an alias, the one on the path.
    type -P -- "$program" >/dev/null || program=verlgen
    # Readline replaces only what follows the last of these characters in the word; of them it
    # replaces the @ too.
    for char in = : @; do
        [[ $COMP_WORDBREAKS == *"$char"* ]] && breaks+=$char
    done
    [[ $breaks ]] && tail=${word##*["$breaks"]} && kept=${word%"$tail"}
    [[ $breaks == *@* ]] && kept=${kept%@}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        # What goes on gets no space, so readline adds none (-o nospace) and the others bring one.
        case $candidate in
            *[=./]) ;;
            *) candidate+=' ' ;;
        esac
        [[ $candidate == "$word"* ]] || others=$((others + 1))
        COMPREPLY+=("${candidate#"$kept"}")
    done < <("$program" completion words -- "$line" 2>/dev/null </dev/null)
    # One that does not begin with the word replaces it. Several would replace it by what they share,
    # were it the first letter alone; with an empty one among them they are only listed.
    ((others > 1)) && COMPREPLY+=('')
    # Nothing of ours: bash completes a file, and may end its name with a space.
    [[ ${#COMPREPLY[@]} -gt 0 ]] || compopt +o nospace 2>/dev/null
    return 0
}

# nosort (bash 4.4) keeps our order: the newest release first.
complete -o nosort -o nospace -o bashdefault -o default -F _verlgen verlgen 2>/dev/null ||
    complete -o nospace -o bashdefault -o default -F _verlgen verlgen
