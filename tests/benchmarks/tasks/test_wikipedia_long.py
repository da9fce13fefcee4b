import json

from benchmarks.tasks.wikipedia_long import CARDS, SPANS
from subclust.methods import resolve


def test_articles_of_the_span_are_taken_whole(tmp_path):
    path = tmp_path / "set.jsonl"
    lines = []
    for n_passages in range(15, 56):
        passages = [
            {"id": f"{n_passages}-{row}", "text": f"text {row}", "label": f"part {row % 3}"}
            for row in range(n_passages)
        ]
        lines.append(json.dumps({"query": f"query {n_passages}", "passages": passages}))
    path.write_text("\n".join(lines))
    for card in CARDS:
        assert card.split == "train"
        least, most = SPANS[card.name]
        made = resolve(card.builder)(card, [path])
        assert [len(i.passages) for i in made] == list(range(least, most + 1))
