# Completion of yg for fish. Load it with: yg completions fish | source
function __yg_complete
    set -l current (commandline -ct)
    set -l lines (command yg --complete fish (commandline -opc) "$current" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$current"
        case directories
            __fish_complete_directories "$current" ''
        case '*'
            printf '%s\n' $lines[2..-1]
    end
end
complete -c yg -f -a '(__yg_complete)'
complete -c ygg -f -a '(__yg_complete)'
