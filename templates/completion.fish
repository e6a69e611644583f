# Completion of verlgen's words in fish 3.1 and later. Printed by `verlgen completion fish`.

function __verlgen_complete
    # The program that is being typed answers; behind an alias, the one on the path.
    set -l program verlgen
    for word in (commandline -opc)
        string match -qr '^\w+=' -- $word; and continue
        set word (string replace -r '^~' $HOME -- $word)
        command -q -- $word; and set program $word
        break
    end
    set -l line (commandline -cp | string join ' ')
    set -l found (command $program completion words -- $line 2>/dev/null </dev/null)
    if set -q found[1]
        string join \n -- $found
        return
    end
    # Nothing of ours: a file, behind the `=` of key=file.
    set -l token (commandline -ct)
    set -l kept (string match -r '^.*=' -- $token)
    for path in (__fish_complete_path (string replace -r '^.*=' '' -- $token))
        printf '%s\n' "$kept$path"
    end
end

complete -c verlgen -k -f -a '(__verlgen_complete)'
