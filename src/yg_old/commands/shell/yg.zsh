#compdef yg ygg
# Completion of yg for zsh. Load it after compinit with: eval "$(yg completions zsh)"
# or save it as a file _yg in a directory of fpath.
_yg() {
    local -a lines
    lines=("${(@f)$(command yg --complete zsh "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    case $lines[1] in
        files) _files ;;
        directories) _files -/ ;;
        *) lines=("${(@)lines[2,-1]}"); _describe yg lines ;;
    esac
}
# Called from a file in fpath, this is the completion itself; read by a shell, it announces it.
if [[ $funcstack[1] == _yg ]]; then _yg "$@"; else compdef _yg yg ygg; fi
