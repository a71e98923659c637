"""Texts and blocks that hold what predicates ask for."""
import json
import re
from re import _constants as kinds
from re import _parser as parser

OPERATORS = ("contains", "i_contains", "eq", "starts_with", "i_starts_with", "ends_with", "i_ends_with")


def predicate(value):
    return value if isinstance(value, dict) else {"eq": value}


def text_for(pattern):
    """A text that the regular expression finds: the least of each repetition, one character where any is allowed."""
    ahead = []

    def written(nodes):
        return "".join(one(kind, value) for kind, value in nodes)

    def one(kind, value):
        if kind is kinds.LITERAL:
            return chr(value)
        if kind is kinds.NOT_LITERAL or kind is kinds.ANY:
            return " "
        if kind is kinds.IN:
            first, first_value = value[0]
            if first is kinds.NEGATE or first is kinds.CATEGORY:
                return " "
            return chr(first_value[0] if first is kinds.RANGE else first_value)
        if kind is kinds.MAX_REPEAT or kind is kinds.MIN_REPEAT:
            least, most, body = value
            # Words before and after "anything" are kept apart, so that they begin and end there.
            is_anything = most is kinds.MAXREPEAT and least == 0 and body[0][0] in (kinds.ANY, kinds.IN)
            return " " if is_anything else written(body) * least
        if kind is kinds.SUBPATTERN:
            return written(value[-1])
        if kind is kinds.BRANCH:
            return written(value[1][0])
        if kind is kinds.ASSERT:
            ahead.append(value[1])
            return ""
        if kind is kinds.AT:
            return ""
        raise ValueError(f"no text is made for {kind} of {pattern!r}")

    text = written(parser.parse(pattern))
    while ahead:
        text += " " + written(ahead.pop(0)).strip()
    if not re.search(pattern, text):
        raise ValueError(f"{text!r} is not found by {pattern!r}")
    return text


def texts_of(value):
    """The texts that a predicate asks for; none: it asks for nothing."""
    if value is None:
        return []
    given = predicate(value)
    return [text_for(asked) if operator == "regex" else asked for operator, asked in given.items() if operator == "regex" or operator in OPERATORS]


def joined(texts):
    """One text that has them all; none that another has."""
    kept = [text for at, text in enumerate(texts) if not any(text in other for other in texts[:at])]
    return "\n".join(text for at, text in enumerate(kept) if not any(text in other for other in kept[at + 1 :]))


def blocks_with(pieces):
    """Blocks whose JSON has the pieces: those of the vendor's kinds that are needed, and words in them."""
    words = [piece for piece in pieces if '"' not in piece and not piece.startswith("rich_text")]
    text = " ".join(words) or "text"
    user = next((word for word in words if re.fullmatch("[UW][A-Z0-9]+", word)), "U02JOHNDOE1")
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    elements = [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": text, "style": {"bold": True, "italic": True, "strike": True, "code": True}}]},
        {"type": "rich_text_list", "style": "bullet", "elements": [section]},
        {"type": "rich_text_list", "style": "ordered", "elements": [section]},
        {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": text}]},
        {"type": "rich_text_quote", "elements": [{"type": "text", "text": text}]},
        {"type": "rich_text_section", "elements": [{"type": "user", "user_id": user}]},
        {"type": "rich_text_section", "elements": [{"type": "link", "url": "https://shop.test", "text": text}]},
    ]
    candidates = [{"type": "rich_text", "elements": [element]} for element in elements]
    candidates += [
        {"type": "table", "rows": [[{"type": "raw_text", "text": word} for word in [text, "1"]]]},
        {"type": "section", "text": {"type": "mrkdwn", "text": text}},
        {"type": "header", "text": {"type": "plain_text", "text": text}},
        {"type": "divider"},
    ]
    chosen = []
    for piece in pieces:
        if any(piece in compact(block) for block in chosen):
            continue
        block = next((each for each in candidates if piece in compact(each)), None)
        if block is None:
            raise ValueError(f"no block is made for {piece!r}")
        chosen.append(block)
    return chosen


def compact(value):
    return json.dumps(value, separators=(",", ":"))
