"""Teaching: questions, answers, sliders, constraints; what was learned."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from shoal.session import Choice, Question, Session
from shoal.web.api._shared import ERRORS, TheWorkspace

router = APIRouter(prefix="/api/tables/{id}", tags=["teaching"], responses=ERRORS)


class AnswerBody(BaseModel):
    """An answer."""

    question: str = Field(description="The id of the open question.")
    choice: Choice


class WeightsBody(BaseModel):
    """Weights by hand, on any positive scale; null takes the sliders away."""

    weights: dict[str, float] | None


class LimitBody(BaseModel):
    """Never wider than this (a width, or a level of the tree); 0 keeps it exact, null lifts it."""

    value: float | None = Field(ge=0)


@router.get("/question")
def ask(space: TheWorkspace) -> dict[str, Any]:
    """Ask the open question: a row and the two groups it could join."""
    return question_facts(space.session.ask())


@router.post("/answers")
def tell(space: TheWorkspace, body: AnswerBody) -> dict[str, Any]:
    """Answer the open question; the next one is in the answer."""
    following = space.answer(body.question, body.choice)
    return {"learned": learned(space.session), "question": question_facts(following)}


@router.post("/undo")
def undo(space: TheWorkspace) -> dict[str, Any]:
    """Take the last answer back; its question is open again."""
    space.session.undo()
    return {"learned": learned(space.session), "question": question_facts(space.session.ask())}


@router.get("/weights")
def weights(space: TheWorkspace) -> dict[str, Any]:
    """Say what was learned so far."""
    return learned(space.session)


@router.put("/weights")
def set_weights(space: TheWorkspace, body: WeightsBody) -> dict[str, Any]:
    """Move the sliders."""
    space.session.set_weights(body.weights)
    return learned(space.session)


@router.put("/limits/{column:path}")
def set_limit(space: TheWorkspace, column: str, body: LimitBody) -> dict[str, float]:
    """Constrain a column; refused with the reason if no release could hold it."""
    if body.value is None:
        space.session.release_limit(column)
    else:
        space.session.limit(column, body.value)
    return space.session.limits


@router.post("/preview")
def preview(space: TheWorkspace) -> dict[str, Any]:
    """Group the whole table with what is known now, by the fast method."""
    return space.session.preview().to_dict()


def question_facts(question: Question) -> dict[str, Any]:
    """Return a question as JSON; it shows one row of the table, to its owner."""
    return {
        "id": question.id,
        "number": question.number,
        "row": dict(question.row),
        "sides": {name: asdict(side) for name, side in question.sides.items()},
        "cost": question.cost,
    }


def learned(session: Session) -> dict[str, Any]:
    """Return what a session knows."""
    return {
        "weights": session.weights,
        "intervals": {name: list(span) for name, span in session.intervals.items()},
        "bias": session.bias,
        "mode": session.mode,
        "answers": session.answers,
        "skipped": session.skipped,
        "sureness": session.sureness,
        "answers_left": session.answers_left,
        "luck": session.luck,
        "consistency": session.consistency,
        "limits": session.limits,
    }
