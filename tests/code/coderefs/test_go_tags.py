"""Tags in Go: comment lines that say nothing in anyone's documentation, and go as they came."""

from bearings.code.coderefs.tags import Style, tagged
from bearings.code.models import Language
from bearings.code.parse import parse_file

SOURCE = b"""package geo

// Shape has an area.
//
// More.
type Shape interface {
\tArea() float64
}

const (
\t// A is first.
\tA = iota
)

//go:noinline
func (s *Square) Area() float64 { return 1 }
"""


def test_go_is_tagged_by_line_comments_and_the_tags_go_again():
    done = tagged("geo/shape.go", Language.GO, SOURCE, Style())
    assert not done.refused
    assert [str(ref) for ref in done.added.values()] == [
        "@I/geo/shape.go#Shape:7",
        "@M/geo/shape.go#Shape.Area:9",
        "@V/geo/shape.go#A:15",
        "@M/geo/shape.go#Square.Area:20",
    ]
    assert tagged("geo/shape.go", Language.GO, done.data, Style()).data == done.data
    assert tagged("geo/shape.go", Language.GO, done.data, Style(remove=True)).data == SOURCE


def test_a_tag_is_no_part_of_what_a_comment_says():
    done = tagged("geo/shape.go", Language.GO, SOURCE, Style())
    read = parse_file("geo/shape.go", Language.GO, done.data)
    assert [symbol.doc for symbol in read.symbols[1:] if symbol.doc] == ["Shape has an area.", "A is first."]
