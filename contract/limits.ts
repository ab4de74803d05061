// Every constant of the portal, in one place. The first block is the specification's (spec §9) and is
// pinned by tests/literals.test.ts; the rest were decided here (docs/spec.md),
// the money ones configurable.

/** Constants of the specification, to the letter. */
export const spec = {
  cookieLifetimeSeconds: 3600,
  requestTimeoutMs: 600_000,
  loginTimeoutMs: 59_000,
  retryCount: 3,
  retryStatus: 429,
  retryDelayMs: 1000,
  notificationTimeoutMs: 5000,
  notificationPosition: "bottom",
  userTypes: [1, 2],
  tokenCookie: "jwt_token",
  userKey: "user",
  transportKey: "transport",
  dataCardKey: "Data_card",
  defaultServicesPath: "/services",
  loginPath: "/login",
  title: "Ma carte",
  dateFormat: "DD/MM/YYYY",
  timeFormat: "HH:mm",
  /** Monday first; the week that holds 4 January is the first of the year. */
  firstDayOfWeek: 1,
  firstWeekContainsDay: 4,
  meridiem: ["PD", "MD"],
} as const;

export const session = {
  expiryCookie: "jwt_expires",
  bindingCookie: "__Host-lien",
  tokenSeconds: 3600,
  /** A session is renewed silently until this age, then the person logs in again (spec.md 7). */
  absoluteSeconds: 12 * 3600,
  renewBeforeSeconds: 600,
  warnBeforeSeconds: 300,
} as const;

export const login = {
  freeFailures: 5,
  firstDelaySeconds: 1,
  longestDelaySeconds: 900,
  /** Failures are forgotten after this quiet time. */
  memorySeconds: 3600,
  perAddressPerMinute: 60,
  /** Failures of the whole installation: a guess spread over many addresses ends here. */
  everyonePerMinute: 1200,
  hashesAtOnce: 2,
  hashQueue: 64,
} as const;

export const password = { shortest: 12, longest: 128 } as const;

export const codes = {
  digits: 6,
  lifeSeconds: 600,
  tries: 5,
  sends: 3,
  sendWindowSeconds: 900,
  /** Forgotten passwords declared from one address in the same window. */
  sendsPerAddress: 30,
  /** A new channel proves nothing before this age; until then its change can be undone. */
  channelStandsHours: 72,
  /** Wrong codes for one person and purpose in a day; beyond, no more are sent that day. */
  wrongPerDay: 50,
} as const;

export const signIn = {
  challengeSeconds: 300,
  passkeys: 10,
  /** Challenges asked from one address in a minute, signed in or not. */
  challengesPerMinute: 60,
  recoveryCodes: 10,
  deviceCookie: "__Host-appareil",
  /** A browser that did not come back for so long is unknown again. */
  deviceDays: 400,
  devicesPerPerson: 20,
  /** How long the link « Ce n'était pas moi » is valid. */
  alertDays: 30,
  /** The last use of a session is recorded at most this often. */
  seenEverySeconds: 300,
} as const;

export const money = {
  topUpMinCents: 500,
  topUpMaxCents: 50_000,
  walletCapCents: 100_000,
  transferMinCents: 1,
  /** From this amount, spending of the last 24 h included, a wallet asks for a code (spec.md 28). */
  codeFromCents: 5_000,
  /** From this amount a top-up asks for a code (spec.md 14). */
  topUpCodeFromCents: 30_000,
  repeatWindowSeconds: 60,
  topUpPresetsCents: [1000, 2000, 5000, 10_000],
} as const;

export const payments = {
  pageLifeSeconds: 1800,
  /** Providers take no charge below this. */
  orderMinCents: 50,
  webhookToleranceSeconds: 300,
  /** A payment without an outcome after this long is asked about at the provider. */
  reconcileAfterSeconds: 120,
  chargeKeySeconds: 23 * 3600, // Stripe forgets the key of a charge after 24 h
  lateDelaySeconds: 20,
} as const;

export const subscriptions = {
  /** Days after the payment in which it can be cancelled and refunded in full (rétractation). */
  withdrawDays: 14,
  /** A card is subscribed at most so many months ahead before it is prolonged again. */
  aheadMonths: 12,
  /** Days before the end on which its holder is reminded, once each. */
  reminders: [30, 7, 1],
  /** A file that nobody touched for so long is given up. */
  draftDays: 60,
  /** Months that a school year is charged at the least. */
  leastMonths: 3,
  maxOptions: 10,
} as const;

export const operator = {
  /** How long a request of one operator waits for another operator. */
  requestHours: 72,
} as const;

export const family = {
  /** How long an invitation waits for its answer. */
  invitationDays: 14,
  openInvitations: 10,
  /** First cards asked by one guardian that wait for their answer. */
  openCardRequests: 5,
  /** Printed codes tried by one person in a day, whatever the card. */
  joinsPerDay: 10,
  /** Proposals of custody that wait for one child. */
  openCustody: 10,
  /** How far ahead custody is proposed, and for how many days at most. */
  custodyAheadDays: 366,
  custodyLongestDays: 93,
} as const;

export const passes = {
  /** How far ahead a day pass, and a pass of twelve months, may begin. */
  dayAheadDays: 30,
  yearAheadDays: 60,
  /** Calendar months on sale: this one and those after it. */
  monthsOnSale: 3,
  /** The school year ends on this day; the next one is on sale from this one. MM-DD. */
  schoolStart: "09-01",
  schoolEnd: "08-31",
  schoolOnSaleFrom: "06-01",
  /** Before the end of a pass of a month or longer, so that one can buy the next. */
  remindDays: 7,
  /** How long a pass that is over stays in the list. */
  historyDays: 365,
  exemptionLetters: 500,
  exemptionDocuments: 3,
} as const;

export const documents = {
  bytes: 5 * 1024 * 1024,
  /** Width × height of an image at most: what it takes in memory while it is read. */
  pixels: 40_000_000,
  /** Bytes of its points once decoded: 16 bits a channel take twice as much. */
  decodedBytes: 160 * 1024 ** 2,
  /**
   * The process that draws images anew, one at a time: the memory that it may allocate (Node itself reserves
   * half of it, and uses a tenth), its time for one, how many wait.
   */
  imageMemoryBytes: 1280 * 1024 ** 2,
  imageSeconds: 45,
  imagesWaiting: 24,
  /** Files of one person that are inspected, in a minute. */
  filesPerMinute: 30,
  /** Larger images are reduced to this longest side, in pixels. */
  sidePixels: 2400,
  jpegQuality: 85,
  /** Documents of one person that are attached to nothing, and how long they wait. */
  loose: 10,
  /** Bytes that all documents of one person may take before another is refused. */
  quotaBytes: 200 * 1024 ** 2,
  looseHours: 24,
  /** Uploads under way of one person at once. Those beyond the first share so many places in one
   * process; the first one of each is taken while so many people at most send something. */
  uploadsOfOne: 3,
  uploadsAtOnce: 32,
  uploadsOfPeople: 128,
} as const;

/**
 * Response times (server/contact/README.md#how-soon-the-operator-answers), shown when people ask and once the
 * day has passed.
 */
export const answerDelays = {
  /** Working days, of the operator's answers. */
  proof: 5,
  subscription: 2,
  contact: 2,
  firstCard: 10,
  membership: 10,
  exemption: 5,
  /** Days, not working ones: another parent answers. */
  custody: 7,
} as const;

export const avatars = {
  /** The square that is kept, in pixels: the largest place where it is shown, on a fine screen. */
  sidePixels: 192,
  /** The square that a browser sends. */
  sentPixels: 512,
  setsPerHour: 20,
  /** How long a browser keeps one: the life of the token that it asked with. */
  cachedSeconds: 3600,
} as const;

export const partners = {
  /** Lines of one page of the directory. */
  pageLines: 20,
  /** Markers on the map at most; crowded ones are drawn as one. */
  planPlaces: 1000,
  /** How far the next opening of a closed place is looked for. */
  nextOpeningDays: 14,
} as const;

export const transit = {
  /** Next departures of each line and direction. */
  nextEach: 3,
  /** Favourite stops of a person, and the directions shown of each. */
  favourites: 20,
  directionsOfFavourite: 4,
  /** How far ahead the next departure is looked for. */
  aheadDays: 7,
  stopsFound: 20,
  stopsOfGroup: 1000,
  linesPerPage: 60,
  /** Bytes that an import reads at most: beyond, the feed is refused. */
  unpackedBytes: 4 * 1024 ** 3,
  packedBytes: 1024 ** 3,
  recordBytes: 100_000,
  rowsPerFile: 30_000_000,
  idLength: 100,
  textLength: 120,
  /** Departures later than this after the start of a service day are an error of the feed. */
  latestHours: 72,
  /** Wrong rows of a file beyond which it is refused: so many, and so large a part of it. */
  wrongRows: 10,
  wrongShare: 0.1,
  /** Stops of the same name within so many metres are one stop for people. */
  sameStopMetres: 250,
  pathPoints: 200,
} as const;

export const privacy = {
  /** How long a finished export can be fetched. */
  exportDays: 7,
  exportsPerDay: 3,
  /** An export is kept and sent in pieces of so many bytes. */
  exportPieceBytes: 256 * 1024,
  /** Days in which one can change one's mind before the account closes. */
  closureDays: 14,
} as const;

export const contact = {
  /** Threads of one person that are not closed. */
  openThreads: 10,
  messagesPerHour: 20,
  /** Messages of one thread. */
  messages: 100,
  /** How long a draft that nobody comes back to is kept. */
  draftDays: 30,
  page: 20,
} as const;

export const entitlements = {
  /** A new paper is asked for so long before the last day of one. */
  renewalDays: 30,
  /** The oldest date that a paper of « moins de trois mois » may bear. */
  recentDays: 92,
  /** How long the files of a refused or ended paper are kept. */
  fileRetentionDays: 90,
} as const;

export const funding = {
  /** Highest amount of a rule, a link or an alert. */
  maxCents: 1_000_000,
  /** Waits after the refusals of an automatic top-up; one more and it rests. */
  retryHours: [1, 6, 24],
  openLinks: 5,
  linkDays: 365,
  linkPayments: 100,
  /** Links read and payments started by them, from one address in a minute. */
  giftsPerMinute: 20,
  giftStatesPerMinute: 120,
  /** How long the address for a receipt is kept of a payment that does not come. */
  payerEmailDays: 30,
} as const;

export const lists = { defaultLimit: 20, longestLimit: 100 } as const;
export const cards = { qrSeconds: 60, revocationDays: 14 } as const;

/** How long a signed list of revocations may be relied on without fetching it again, and by how much
 * the clock of a device may differ when it reads a code without network. */
export const signedCodes = { listHours: 24, clockSkewSeconds: 90 } as const;
export const http = { bodyBytes: 64 * 1024, requestTimeoutMs: 30_000, lingerMs: 5000 } as const;

/** The next day of a family on its home page; times are those of Paris. */
export const homeDay = {
  /** From then on it is tomorrow: the meals of today are over. */
  tomorrowFrom: "14:00",
  /** Days among which the first with a meal or a ticket is looked for. */
  days: 7,
  /** Buses of a later day are shown from then on. */
  busesFrom: "07:00",
  /** Dishes of a meal that are named. */
  dishes: 3,
} as const;

export const canteen = {
  /** A school registers pupils up to this age. */
  oldestPupil: 20,
  /** Meals that one payment orders: a year for three children is about 430. */
  maxMealsPerOrder: 600,
  /** Weeks without dates that one provider keeps. */
  menuTemplates: 30,
  /** How long an action of the counter can be undone. */
  undoSeconds: 5 * 60,
  /**
   * How long a free seat is offered to the first on the waiting list, until its order's deadline at most;
   * with less than the shortest time left, it is offered to nobody.
   */
  offeredSeconds: 2 * 3600,
  leastOfferedSeconds: 10 * 60,
  /** Meals that one person waits for. */
  openWaits: 20,
  /** How long after its day a meal is still served, and a wallet charged for it. */
  servedLateDays: 7,
  /** Meals that the follow-up validates, serves or refuses in one call. */
  mealsAtOnce: 100,
  /** Days that the follow-up lists together, and meals on one paper. */
  followedDays: 31,
  mealsOnPaper: 2000,
  /** Meals of a family that its follow-up of a month shows: ten people who eat three a day order fewer. */
  familyMonthMeals: 1000,
} as const;

/** A page whose address the specification spells oddly, and the one that messages and people write. */
export const spelled = { path: "/servivces/abonnement", alias: "/abonnement" } as const;
