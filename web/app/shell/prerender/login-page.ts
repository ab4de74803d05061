// Brings the prerendered login to life: grouping of the number, the card that draws itself as one
// types, and the call. What the call needs is fetched when the browser is idle, with the portal's own
// files after it, so that the dashboard opens from the cache.
import { writeSearch } from "#contract/address.ts";
import { groupDigits } from "#contract/cardnumber.ts";
import { motifOf } from "#contract/motif.ts";
import { texts, words } from "#contract/texts.ts";
import { endParameter, ends, returnParameter } from "#web/app/shared/addresses.ts";
import { registerWorker } from "#web/app/shared/worker.ts";
import { connectivity } from "#web/app/transport/connectivity.ts";
import { otherTabs } from "#web/app/transport/other-tabs.ts";
import { passkeysWork } from "#web/app/transport/passkey-support.ts";
import { caretAfterDigits } from "#web/ui/caret.ts";
import { loadFont } from "#web/ui/font.ts";

// Written by login.tsx at build: each of these is there.
const element = (id: string): unknown => document.getElementById(id);
const form = element("login") as HTMLFormElement;
const number = element("number") as HTMLInputElement;
const password = element("password") as HTMLInputElement;
const problem = element("problem") as HTMLElement;
const send = element("send") as HTMLButtonElement;
const said = element("said") as HTMLElement;
const passkey = element("passkey") as HTMLButtonElement;
const show = element("show") as HTMLButtonElement;
const forgot = element("forgot") as HTMLAnchorElement;
const motif = element("motif") as SVGSVGElement;
const echo = element("echo") as HTMLElement;

const session = () => import("./login-session.ts");

function draw(digits: string): void {
  const { rosette, ribbon } = motifOf(Number(digits.padEnd(10, "0")) || 7, 7);
  motif.replaceChildren(
    ...[...ribbon, ...rosette].map((curve) => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("d", curve);
      return path;
    }),
  );
  echo.textContent = groupDigits(digits.padEnd(10, "•"));
}

function group(): void {
  const caret = number.selectionStart ?? number.value.length;
  const digits = number.value.replaceAll(/\D/g, "").slice(0, 10);
  const grouped = groupDigits(digits);
  const place = caretAfterDigits(grouped, number.value.slice(0, caret));
  number.value = grouped;
  if (document.activeElement === number) number.setSelectionRange(place, place);
  draw(digits);
}

/** Says what is wrong; only the fields that it is about are invalid and described by it. */
function tell(text: string, ...wrong: HTMLInputElement[]): void {
  problem.textContent = text;
  for (const input of [number, password]) {
    if (wrong.includes(input)) {
      input.setAttribute("aria-invalid", "true");
      input.setAttribute("aria-describedby", "problem");
    } else {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
    }
  }
}

/** As web/app/transport/late.ts says it once one is in. */
const lateAfterMs = 8000;
let late: ReturnType<typeof setTimeout> | undefined;

function wait(busy: boolean, button = send): void {
  clearTimeout(late);
  said.textContent = "";
  button.setAttribute("aria-busy", String(busy));
  button.querySelector(".button-wait")?.remove();
  if (!busy) return;
  late = setTimeout(() => {
    said.textContent = "La réponse tarde. Nous attendons encore.";
  }, lateAfterMs);
  const wheel = document.createElement("span");
  wheel.className = "button-wait";
  button.append(wheel);
}

const isBusy = (): boolean =>
  [send, passkey].some((button) => button.getAttribute("aria-busy") === "true");

/** Nothing for a call that found no network: the page of a lost connection says it. */
const wordsOf = (error: unknown): string => {
  if (!connectivity.get()) return "";
  return error instanceof Error && error.name === "ApiProblem" ? error.message : texts.loginFailed;
};

const blamesCredentials = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "wrong_credentials";

async function submit(event: SubmitEvent): Promise<void> {
  event.preventDefault();
  if (isBusy()) return;
  said.textContent = "";
  const empty = [number, password].find((input) => input.value === "");
  if (empty) {
    const missing = empty === number ? "votre numéro de carte" : "votre mot de passe";
    tell(`Indiquez ${missing}.`, empty);
    empty.focus();
    return;
  }
  tell("");
  wait(true);
  try {
    const { enter } = await session();
    await enter(number.value, password.value);
  } catch (error) {
    wait(false);
    tell(wordsOf(error), ...(blamesCredentials(error) ? [number, password] : []));
    if (!connectivity.get()) return;
    password.select();
    password.focus();
  }
}

/** A passkey names nobody: neither field is needed. Its code is fetched at the first press. */
async function enterByPasskey(): Promise<void> {
  if (isBusy()) return;
  tell("");
  said.textContent = "";
  wait(true, passkey);
  try {
    await (await import("./login-passkey.ts")).enterByPasskey();
  } catch (error) {
    wait(false, passkey);
    problem.textContent =
      error instanceof Error && error.name === "PasskeyAbandoned" ? error.message : wordsOf(error);
  }
}

/** Loaded when the browser is idle: the settings of this installation, the files of the portal. */
function whenIdle({ showSettings }: Awaited<ReturnType<typeof session>>): void {
  void showSettings();
  fetchPortal();
}

/** The files of the portal, whose addresses the build wrote into this page. */
function fetchPortal(): void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const later = document.querySelector<HTMLMetaElement>('meta[name="later"]')?.content ?? "";
  for (const address of later.split(" ").filter(Boolean)) {
    if (!address.endsWith(".js")) void fetch(address, { priority: "low" }).catch(() => undefined);
    else {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = address;
      document.head.append(link);
    }
  }
}

/** Offline the page of a lost connection takes the place of the form, which keeps what was typed. */
function followConnection(): void {
  const view = element("view") as HTMLElement;
  const lost = element("offline") as HTMLElement;
  let before: Element | null = null;
  const follow = () => {
    const isOnline = connectivity.get();
    if (isOnline === lost.hidden) return;
    if (!isOnline) before = document.activeElement;
    view.hidden = !isOnline;
    lost.hidden = isOnline;
    if (!isOnline) lost.querySelector("h1")?.focus();
    else if (before instanceof HTMLElement) before.focus();
  };
  lost.querySelector("button")?.addEventListener("click", () => location.reload());
  connectivity.subscribe(follow);
  follow();
}

followConnection();
passkey.hidden = !passkeysWork();
passkey.addEventListener("click", () => void enterByPasskey());
form.addEventListener("submit", (event) => void submit(event));
send.disabled = false;
number.addEventListener("input", group);
show.addEventListener("click", () => {
  const reveal = password.type === "password";
  password.type = reveal ? "text" : "password";
  show.setAttribute("aria-pressed", String(reveal));
});
group();
void loadFont();
if (!isSecureContext) {
  tell("Cette adresse n’est pas protégée (HTTPS) : la connexion ne peut pas y rester ouverte.");
}
const search = new URLSearchParams(location.search);
const end = search.get(endParameter);
const returnTo = search.get(returnParameter);
if (returnTo !== null) forgot.search = writeSearch({ [returnParameter]: returnTo });
// The number goes along in the fragment, which no server and no log is sent.
forgot.addEventListener("click", () => {
  forgot.hash = number.value.replaceAll(/\D/g, "");
});
if (end === ends.logout) said.textContent = words.loggedOut;
if (end === ends.ended) said.textContent = words.sessionEnded;
if (end === ends.opposed) {
  said.textContent =
    "Votre carte a été mise en opposition, et vos connexions ont été fermées. Reconnectez-vous avec le même numéro, jusqu’à l’activation de la nouvelle carte.";
}
if (end === ends.missing) {
  // The specification's words are English: what they mean comes first, and they are read aloud in their language.
  const literal = document.createElement("span");
  literal.lang = "en";
  literal.textContent = texts.tokenNotFound;
  said.replaceChildren(words.sessionEnded, document.createElement("br"), literal);
}
// Someone who is in already goes to the dashboard; a token that is over is put away (spec §2).
if (document.cookie.includes("jwt_token=")) void session().then(({ admit }) => admit());
// A login in another tab is one here too.
otherTabs()?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (data === "opened" && !isBusy()) void session().then(({ follow }) => follow());
});
// A slow machine that draws what moves is never idle: the rest comes all the same.
const idle = (work: () => void) =>
  globalThis.requestIdleCallback?.(work, { timeout: 1500 }) ?? setTimeout(work, 500);
addEventListener("load", () => {
  void registerWorker();
  idle(() => void session().then(whenIdle, () => undefined));
});
