// Reads the bank's answer to a payout batch, pain.002 of any version: the outcome of the message and of each
// transfer in it. The file comes from outside: no DTD, size limit, and refused whole when malformed.
import { SaxesParser } from "saxes";
import { Problem } from "#contract/errors.ts";

export type Verdict = "accepted" | "rejected" | "pending";

export interface TransferAnswer {
  endToEndId: string;
  verdict: Verdict;
  reason: string | null;
}

export interface BankAnswer {
  /** Of the batch to which it answers. */
  messageId: string;
  /** The verdict on the whole batch; null when only single transfers have one. */
  verdict: Verdict | null;
  reason: string | null;
  transfers: readonly TransferAnswer[];
}

/** Larger than any bank's answer to a batch of ten thousand payouts. */
export const maxBytes = 20 * 2 ** 20;

// ISO 20022 ExternalPaymentTransactionStatus1Code: only a settled or surely settling transfer is paid.
const verdicts: Readonly<Record<string, Verdict>> = {
  ACSC: "accepted",
  ACCC: "accepted",
  ACSP: "accepted",
  RJCT: "rejected",
  CANC: "rejected",
};
const verdictOf = (status: string | undefined): Verdict | null =>
  status === undefined ? null : (verdicts[status] ?? "pending");

// ISO 20022 ExternalStatusReason1Code: those that concern credit transfers.
const reasons: Readonly<Record<string, string>> = {
  AC01: "IBAN incorrect",
  AC03: "IBAN incorrect",
  AC04: "compte clos",
  AC06: "compte bloqué",
  AC13: "compte d'un autre genre",
  AG01: "virement interdit sur ce compte",
  AG02: "opération non prévue par la banque",
  AM04: "provision insuffisante",
  AM05: "virement en double",
  BE04: "adresse du bénéficiaire incomplète",
  BE05: "émetteur non reconnu",
  CNOR: "banque du bénéficiaire injoignable",
  DT01: "date d'exécution incorrecte",
  DUPL: "lot envoyé deux fois",
  FF01: "fichier mal formé",
  MD07: "bénéficiaire décédé",
  MS02: "refusé par le bénéficiaire",
  MS03: "motif non précisé par la banque",
  RC01: "BIC incorrect",
  RR01: "identification de l'émetteur manquante",
  RR04: "raison réglementaire",
  TM01: "reçu trop tard",
};

const reasonOf = (code: string | undefined, more: string | undefined): string | null => {
  const name = code === undefined ? undefined : (reasons[code] ?? `code ${code}`);
  const said = [name, more?.slice(0, 140)].filter((part) => part !== undefined && part !== "");
  return said.length === 0 ? null : said.join(", ");
};

/** The relevant elements, by their local name: their text, within their block. */
type Block = Map<string, string>;

const relevantTags = new Set([
  "OrgnlMsgId",
  "GrpSts",
  "PmtInfSts",
  "OrgnlEndToEndId",
  "TxSts",
  "Cd",
  "Prtry",
  "AddtlInf",
]);

/** Parses an answer. Refuses `payout_file` for anything but pain.002. */
export function readAnswer(text: string): BankAnswer {
  const group: Block = new Map();
  const payment: Block = new Map();
  const transfers: Block[] = [];
  const path: string[] = [];
  let now: Block = group;
  let words = "";
  const parser = new SaxesParser();
  parser.on("doctype", () => refuse("il contient une déclaration DOCTYPE"));
  parser.on("error", (error) => refuse(error.message.slice(0, 100)));
  parser.on("opentag", ({ name }) => {
    const tag = localName(name);
    if (path.length === 1 && tag !== "CstmrPmtStsRpt") refuse("ce n'est pas un CstmrPmtStsRpt");
    path.push(tag);
    words = "";
    if (tag === "OrgnlPmtInfAndSts") now = payment;
    if (tag === "TxInfAndSts") transfers.push((now = new Map()));
  });
  parser.on("text", (piece) => (words += piece));
  parser.on("cdata", (piece) => (words += piece));
  parser.on("closetag", ({ name }) => {
    const tag = localName(name);
    path.pop();
    const inside = path.at(-1);
    const asReason = (tag === "Cd" || tag === "Prtry") && inside === "Rsn";
    if (relevantTags.has(tag) && (asReason || (tag !== "Cd" && tag !== "Prtry"))) {
      const key = asReason ? "reason" : tag;
      // Some answers repeat the original transaction: the first occurrence counts.
      if (!now.has(key)) now.set(key, words.trim());
    }
    if (tag === "TxInfAndSts") now = payment;
    if (tag === "OrgnlPmtInfAndSts") now = group;
    words = "";
  });
  parser.write(text).close();
  return toAnswer(group, payment, transfers);
}

function toAnswer(group: Block, payment: Block, transfers: readonly Block[]): BankAnswer {
  const messageId = group.get("OrgnlMsgId");
  if (!messageId) refuse("il ne dit pas à quel message il répond");
  const whole = group.has("GrpSts") ? group : payment;
  const status = group.get("GrpSts") ?? payment.get("PmtInfSts");
  return {
    messageId,
    verdict: status === "PART" ? null : verdictOf(status),
    reason: reasonOf(whole.get("reason"), whole.get("AddtlInf")),
    transfers: transfers.map((one) => {
      const endToEndId = one.get("OrgnlEndToEndId");
      if (!endToEndId) refuse("un virement n'y a pas de référence");
      return {
        endToEndId,
        verdict: verdictOf(one.get("TxSts")) ?? "pending",
        reason: reasonOf(one.get("reason"), one.get("AddtlInf")),
      };
    }),
  };
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

function refuse(why: string): never {
  throw new Problem("payout_file", { why });
}
