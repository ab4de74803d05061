// Figures in help texts: an answer names them (`{topUpMin}`), and the limits and settings of this server fill
// them in, so that no text is outdated.
import { illness } from "#contract/meals/limits.ts";
import { bankChange } from "#contract/companies/limits.ts";
import { formatMoney } from "#contract/french.ts";
import { moneyRequest } from "#contract/funding/limits.ts";
import { grants } from "#contract/grants/limits.ts";
import {
  canteen,
  codes,
  family,
  password,
  privacy,
  session,
  signedCodes,
} from "#contract/limits.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import { tickets } from "#contract/tickets/limits.ts";
import { offlineTill, till } from "#contract/till/limits.ts";
import type { Config } from "#server/process/config.ts";

type Settings = Pick<
  Config,
  "topUpMinCents" | "topUpMaxCents" | "walletCapCents" | "codeFromCents" | "topUpCodeFromCents"
>;

const figures = (settings: Settings): Readonly<Record<string, string | number>> => ({
  topUpMin: formatMoney(settings.topUpMinCents),
  topUpMax: formatMoney(settings.topUpMaxCents),
  walletCap: formatMoney(settings.walletCapCents),
  codeFrom: formatMoney(settings.codeFromCents),
  topUpCodeFrom: formatMoney(settings.topUpCodeFromCents),
  codeMinutes: codes.lifeSeconds / 60,
  codeSends: codes.sends,
  codeWaitMinutes: codes.sendWindowSeconds / 60,
  passwordLength: password.shortest,
  sessionHours: session.absoluteSeconds / 3600,
  invitationDays: family.invitationDays,
  closureDays: privacy.closureDays,
  cartMinutes: tickets.cartSeconds / 60,
  sickDays: illness.max,
  proveDays: illness.toProve,
  mealOfferHours: canteen.offeredSeconds / 3600,
  undoMinutes: canteen.undoSeconds / 60,
  followedDays: canteen.followedDays,
  mealsAtOnce: canteen.mealsAtOnce,
  saleMinutes: till.answerSeconds / 60,
  tillCancelMinutes: till.cancelMinutes,
  pointValue: formatMoney(loyalty.pointCents),
  listHours: signedCodes.listHours,
  offlineCharge: formatMoney(offlineTill.chargeCents),
  offlineTill: formatMoney(offlineTill.tillCents),
  moneyRequestDays: moneyRequest.days,
  grantMin: formatMoney(grants.minCents),
  grantMax: formatMoney(grants.maxCents),
  grantCards: grants.max,
  grantTakeBackHours: grants.takeBackHours,
  bankHours: bankChange.freezeHours,
});

const named = /\{(\w+)\}/g;

/** The text with its figures; an unknown name stays as it is. */
export function withFigures(text: string, settings: Settings): string {
  const known = figures(settings);
  return text.replaceAll(named, (whole, name: string) => String(known[name] ?? whole));
}

/** The names in a text that are no figure. */
export function unknownFigures(text: string, settings: Settings): string[] {
  const known = figures(settings);
  return [...text.matchAll(named)].flatMap(([, name = ""]) => (name in known ? [] : [name]));
}
