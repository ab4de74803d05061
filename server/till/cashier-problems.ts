// Refusals of a wallet or a card, reworded for a cashier, who is a stranger to the holder.
import { Problem, type ProblemCode } from "#contract/errors.ts";

const cashierProblems: Readonly<Partial<Record<ProblemCode, ProblemCode>>> = {
  insufficient_funds: "till_funds",
  wallet_frozen: "till_card",
  card_suspended: "till_card",
  card_opposed: "till_card",
  card_state: "till_card",
  limit_day: "till_limit",
  limit_week: "till_limit",
  limit_place: "till_limit",
};

/** The same refusal without its information about the holder. */
export function redactForCashier(error: unknown): unknown {
  const code = error instanceof Problem ? cashierProblems[error.code] : undefined;
  return code ? new Problem(code) : error;
}
