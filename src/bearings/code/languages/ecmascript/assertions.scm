; Additional captures for TypeScript, whose TSX has no such assertions.

(type_assertion [ (object) (array) ]) @asserted
