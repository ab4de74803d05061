// Hooks of the home pages and the service tiles. The portal imports no later room: each attaches its part in its
// `room.ts`. The parts of family and cards are listed here, because these rooms come before the portal.
import type { RawBuilder } from "kysely";
import type { CompanyRole } from "#contract/companies/roles.ts";
import type { Boarding, DayMeal, DayTicket, HomeStop } from "#contract/portal/family-day.ts";
import type { ServiceFacts } from "#contract/portal/home.ts";
import type { FirstStep, ProfessionalHome } from "#contract/portal/professional-home.ts";
import { firstCardToDos } from "#server/cards/cards.ts";
import type { Db } from "#server/db/db.ts";
import { familyToDos } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";

/** The reader of a person's home page, and the people that it shows. */
export interface HolderHome {
  /** The caller. */
  me: number;
  /** The holder of the card: the caller or their child. */
  holder: number;
  /** The holder and, on the caller's own home page, their children. */
  people: readonly number[];
  at: Date;
}

/**
 * SQL: to-dos of the caller, for themselves or a child: kind, id, person_id, from, what, until, and the path of the
 * page where each is done. One statement reads those of all rooms.
 */
export const homeToDos: ((home: HolderHome) => RawBuilder<unknown>)[] = [
  familyToDos,
  firstCardToDos,
];

/**
 * SQL: upcoming tickets and passes of the people of a home page, with the columns of `HomeComing`. One statement reads
 * those of all rooms.
 */
export const homeComing: ((home: HolderHome) => RawBuilder<unknown>)[] = [];

/** Whether one of the people of a home page is registered at a canteen, or was. */
export const homeCanteen: ((db: Db, home: HolderHome) => Promise<boolean>)[] = [];

/** Days of a home page, ISO dates, both included. */
export interface HomeDays {
  from: string;
  to: string;
}

/** What a person of a home page has on a day: a meal or the tickets for a session. */
export interface HomeDayFact {
  personId: number;
  day: string;
  meal?: DayMeal;
  ticket?: DayTicket;
}

/**
 * Reads what the people of a home page have on the first of some days on which one of them has anything, at most one
 * meal of each, and what is left of today; what they have later is not shown.
 */
export const homeDayFacts: ((
  db: Db,
  home: HolderHome,
  days: HomeDays,
) => Promise<HomeDayFact[]>)[] = [];

/** Reads the next bus of the people of a home page by their ids, from an instant to the end of its day in Paris. */
export const homeBuses: ((
  db: Db,
  home: HolderHome,
  from: Date,
) => Promise<Map<number, Boarding>>)[] = [];

/** Reads the first favourite stop of the caller that has next departures. */
export const homeStops: ((db: Db, home: HolderHome) => Promise<HomeStop | null>)[] = [];

/** Facts of the day on the service tiles of a card, except the balance of its wallet. */
export type TileFacts = Omit<ServiceFacts, "balanceCents">;

/** Reads the facts on the tile of a room. */
export const tileFacts: ((db: Db, home: HolderHome) => Promise<Partial<TileFacts>>)[] = [];

/** The company whose home page is read, and the caller with their roles. */
export interface CompanyHome {
  call: PersonCall<unknown>;
  db: Db;
  companyId: string;
  roles: readonly CompanyRole[];
  at: Date;
}

/** Maximum number of scans and sessions on the home page of a professional. */
export const companyHomeLimits = { scans: 6, sessions: 4 };

/** The part of a room on the home page of a professional; a property that all rooms omit is empty there. */
export type CompanyHomePart = Partial<Omit<ProfessionalHome, "company">>;

/** Reads the part of a room; the home page sorts the to-dos and scans of all rooms. */
export const companyHome: ((home: CompanyHome) => Promise<CompanyHomePart>)[] = [];

/**
 * Further first steps of a company. They are read only if a part of the home page contains a first step: for an owner
 * of a company that sells something here.
 */
export const firstSteps: ((home: CompanyHome) => Promise<FirstStep[]>)[] = [];

/**
 * SQL: to-dos of a professional as a person: kind, id, what and amount_cents, the amount of a till request. One
 * statement reads those of all rooms.
 */
export const personalToDos: ((of: { me: number; at: Date }) => RawBuilder<unknown>)[] = [];
