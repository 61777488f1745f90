"""CodeRef2, the notation of references to code: `@Fn/src/auth.ts#login:24{status=active}`.

CodeRef := '@' Type '/' Path ('#' Element)? (':' (N ('-' N)? | Block))? ('{' Meta (',' Meta)* '}')?
Path    := characters of A-Z a-z 0-9 _ - . ~ / and %xx, or one of # : / { } behind a backslash
Element := Name ('.' Name)* ('(' text ')')?      a Name may also have $ and begin with #
Block   := (function|if|else|try|catch|for|while|switch|case|block) '{' id '}'
Meta    := (category ':')? key ('=' ("text" | word | number | true | false | [json] | CodeRef | ISO date))?
"""
