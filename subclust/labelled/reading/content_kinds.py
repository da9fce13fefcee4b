"""What can be wrong with the passages and queries of a labelled set."""

from subclust.labelled.reading.problem_kind import error, warning

CONTENT_KINDS = (
    error(
        "broken-characters",
        'the {field} "{column}" holds characters that no text has ({found})',
        "type the place anew, or export the file again",
        '{n} {rows} have characters in the {field} "{column}" that no text has',
    ),
    warning(
        "control-characters",
        'the {field} "{column}" holds invisible control characters ({found})',
        "remove them if they are there by mistake",
        '{n} {rows} have invisible control characters in the {field} "{column}"',
    ),
    warning(
        "lost-characters",
        'the {field} "{column}" has letters that an earlier conversion spoilt ({found})',
        "export it again from where it came from, as UTF-8",
        '{n} {rows} have letters in the {field} "{column}" that an earlier conversion spoilt',
    ),
    warning(
        "long-text",
        "the text has {found} words, of which about the first {other} are read",
        "nothing needs to be done if its beginning says what it is about; else split it",
        "{n} {rows} have a text that is longer than what is read, about {other} words",
    ),
    warning(
        "no-words",
        "the text has no words ({found})",
        "remove it unless it is meant",
        "{n} {rows} have a text without words",
    ),
    warning(
        "no-label-meant",
        "the label is {found}, which reads like no label",
        "fill in the subtopic or remove the row",
        "{n} {rows} have a label such as {found}, which reads like no label",
    ),
    warning(
        "path-without-label",
        'the path {found} does not begin with the label, "{other}"',
        'write it as "label / part"',
        "{n} {rows} have a path that does not begin with their label",
    ),
    warning(
        "same-id",
        "the id {found} was already given to another passage, in {other}",
        "give each passage an id of its own, or leave the ids out",
        "{n} {rows} have an id that another passage has already",
    ),
)

QUERIES_KINDS = (
    error(
        "one-passage",
        "the query {found} has only this passage, so there is nothing to group",
        "add passages of it or remove it",
        "{n} queries have only one passage, so there is nothing to group",
    ),
    warning(
        "one-label",
        "all passages of the query {found} have the label {other}",
        "look whether its other subtopics are missing",
        "{n} queries have only one label",
    ),
    warning(
        "same-passage",
        "the passage is in its query already, with the same label, in {other}",
        "remove one of them",
        "{n} {rows} repeat a passage of their query, with the same label",
    ),
    warning(
        "two-labels",
        "the passage is in its query already, in {other}, with another label than {found}",
        "decide for one label",
        "{n} {rows} repeat a passage of their query, with another label",
    ),
    warning(
        "near-label",
        'the label {found} differs from "{other}" only by capitals, blanks or the form of accents',
        "write both alike if they are the same subtopic; now they count as two",
        "{n} {rows} have a label that differs from another one of the query only by capitals, "
        "blanks or the form of accents",
    ),
    warning(
        "near-query",
        'the query {found} differs from "{other}" only by capitals, blanks or the form of accents',
        "write both alike if they are the same; now they count as two queries",
        "{n} queries differ from another one only by capitals, blanks or the form of accents",
    ),
    warning(
        "other-description",
        "the description {found} is another one than the query has in {other}, which is taken",
        "write the same in all rows of a query, or in the first alone",
        "{n} {rows} describe their query otherwise than an earlier row, which is taken",
    ),
    warning(
        "held-out-query",
        "the query {found} is also in {other}; it is not trained on",
        "remove it from one of the two files",
        "{n} queries are also in the held-out file; they are not trained on",
    ),
    warning(
        "held-out-passage",
        "the passage is also in {other}, so the model is judged on what it has seen",
        "remove it from one of the two files",
        "{n} {rows} are also in the held-out file, so the model is judged on what it has seen",
    ),
)
