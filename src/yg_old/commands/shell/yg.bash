# Completion of yg for bash. Load it with: eval "$(yg completions bash)"
_yg() {
    local kind word
    COMPREPLY=()
    {
        IFS= read -r kind
        while IFS= read -r word; do COMPREPLY+=("$word"); done
    } < <(command yg --complete bash "${COMP_LINE:0:COMP_POINT}" "${COMP_WORDS[COMP_CWORD]}" 2>/dev/null)
    case $kind in
        files) compopt -o default 2>/dev/null ;;
        directories) compopt -o dirnames 2>/dev/null ;;
    esac
}
complete -F _yg yg ygg
