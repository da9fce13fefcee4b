"""Articles and textbooks whose sections are the gold subtopics of their titles."""

from subclust.records import TaskCard

CARDS: tuple[TaskCard, ...] = (
    TaskCard(
        name="wiki2014_train",
        label="Wikipedia 2014, training",
        file="clustering/wiki2014_train.jsonl.gz",
        sha256="0005d83623e7fe2f61154ad52fbf3a840f3a3fe0cfeca7ff15d8ef45b69d50e7",
        licence="CC BY-SA 3.0",
        citation="Wikipedia articles of 2014: title as query, section heading as subtopic.",
        split="train",
    ),
    TaskCard(
        name="wiki2014_validation",
        label="Wikipedia 2014, validation",
        file="clustering/wiki2014_validation.jsonl.gz",
        sha256="e93f7e8ab3880a000c1edfd87e89840bb7cf00ac39af0144479c6b41b5d5f8b6",
        licence="CC BY-SA 3.0",
        citation="Wikipedia articles of 2014: title as query, section heading as subtopic.",
        split="validation",
    ),
    TaskCard(
        name="wiki2021_test",
        label="Wikipedia 2021, test",
        file="clustering/wiki2021_test.jsonl.gz",
        sha256="63f9d2dcc3378b9b4b1f92c19e51099800a2050786554039c96f5d8b0c1797fb",
        licence="CC BY-SA 3.0",
        citation="Wikipedia articles of 2021, more obscure ones: title as query, section heading "
        "as subtopic.",
        split="test",
    ),
    TaskCard(
        name="trec_car_a",
        label="TREC CAR",
        file="clustering/trec_car_a.jsonl.gz",
        sha256="4977ca2a000865f8629aafa4191f98f8754d74412a524ef4f14417003843cfc3",
        licence="CC BY-SA 3.0",
        citation="Dietz, Verma, Radlinski and Craswell, TREC Complex Answer Retrieval Overview, "
        "TREC 2017; v1.5 test200, first half.",
        split="test",
    ),
    TaskCard(
        name="openstax_chapters_train",
        label="OpenStax chapters",
        file="clustering/openstax_chapters_train.jsonl.gz",
        sha256="7817016ce8e6c70d0bbe76b244c7f1533459934e0f3cc14a96d9337a8324f8a2",
        licence="CC BY 4.0",
        citation="Textbook chapters of OpenStax: chapter as query, module as subtopic.",
        split="train",
    ),
    TaskCard(
        name="openstax_modules_train",
        label="OpenStax modules",
        file="clustering/openstax_modules_train.jsonl.gz",
        sha256="1a5d214d7ac3b480c7ee4921e40e255335386ee1da510c04e754d09b45a80d32",
        licence="CC BY 4.0",
        citation="Textbook modules of OpenStax: module as query, section as subtopic.",
        split="train",
    ),
)
