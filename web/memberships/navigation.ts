// The steps of the form, as the address and the stepper name them, and the way between them.
import { useNavigate } from "@tanstack/react-router";
import { wireSearch } from "#contract/link-to.ts";
import {
  canWritePart,
  type MembershipPart,
  membershipParts,
  type MembershipStep,
  membershipSteps,
} from "#contract/memberships/states.ts";
import type { Membership } from "#contract/memberships/rows.ts";

const onWire = {
  company: "entreprise",
  representative: "representant",
  documents: "documents",
  code: "code",
  summary: "envoi",
} as const satisfies Readonly<Record<MembershipStep, string>>;

export const stepNames: readonly string[] = [
  "Entreprise",
  "Représentant",
  "Documents",
  "Code",
  "Envoi",
];

/** Goes to a step of this page, null for none, with an entry in the history: Back goes back one step. */
export function useGo() {
  const navigate = useNavigate();
  return (step: MembershipStep | null) =>
    void navigate({
      to: ".",
      search: step === null ? {} : wireSearch<"membership">({ step: onWire[step] }),
      resetScroll: false,
    });
}

const stepNamed = (param: string | undefined): MembershipStep | null =>
  membershipSteps.find((step) => onWire[step] === param) ?? null;

/** The step of a draft to show: the one of the address, else `first`, where it was reached. */
export function stepOf(
  draft: Membership | null,
  param: string | undefined,
  first?: MembershipStep,
): MembershipStep {
  const next = draft?.step ?? "company";
  const step = stepNamed(param) ?? first;
  return step && membershipSteps.indexOf(step) <= membershipSteps.indexOf(next) ? step : next;
}

/** In clarification: the part of the address that the operator asked for, null for none. */
export function partOf(one: Membership, param: string | undefined): MembershipPart | null {
  const step = stepNamed(param);
  return membershipParts.find((part) => part === step && canWritePart(one, part)) ?? null;
}

/** Whether the address asks for a new request. */
export const isBeginning = (param: string | undefined): boolean => stepNamed(param) === "company";
