// On the page of a lost connection: what this browser kept of the family's cards, tickets, passes and
// meals, and how old it is.
import { useEffect, useState } from "react";
import {
  formatCardnumber,
  formatDate,
  formatDateTime,
  formatDayInWords,
  formatTime,
  plural,
} from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { currentUser, sealed, storedUser } from "#web/app/transport/session.ts";
import { Link } from "#web/ui/link.tsx";
import { PaperTicket } from "#web/ui/paper-ticket.tsx";
import { PresentedCode } from "#web/ui/presented-code.tsx";
import { counterList, tillKitName } from "./counter-list.ts";
import { type StoredTitle, type StoredTitles, readStoredTitles } from "./stored-titles.ts";
import styles from "./offline-titles.module.css";

export function OfflineTitles() {
  const [user, setUser] = useState(currentUser.get());
  useEffect(() => {
    void storedUser().then(setUser);
  }, []);
  return user?.type === 2 ? <Counter /> : <StoredTitlesList isHolder={user?.type === 1} />;
}

/** The ways to the counters that go on without network, for whoever kept here what each needs. */
function Counter() {
  const [canteen, setCanteen] = useState(false);
  const [till, setTill] = useState(false);
  useEffect(() => {
    void sealed.get(counterList, counterList).then((list) => setCanteen(list !== null));
    const owner = currentUser.get()?.objectID ?? "";
    void sealed.get(tillKitName, owner).then((kit) => setTill(kit !== null));
  }, []);
  return (
    <>
      {canteen && (
        <p>
          <Link href={paths.mealCounter}>Continuer le service de la cantine</Link>
        </p>
      )}
      {till && (
        <p>
          <Link href={paths.till}>Continuer à encaisser</Link>
        </p>
      )}
    </>
  );
}

/** What is kept outlasts the session's cookie; to a visitor, who can have no title, nothing is said of titles. */
function StoredTitlesList({ isHolder }: { isHolder: boolean }) {
  const [stored, setStored] = useState<StoredTitles | null>();
  useEffect(() => {
    void readStoredTitles().then(setStored);
  }, []);
  if (stored === undefined || (stored === null && !isHolder)) return null;
  return (
    <section className={styles.offlineTitles} aria-labelledby="offline-titles">
      <h2 id="offline-titles">Mes titres hors ligne</h2>
      {stored === null ? (
        <p>Vos titres ne sont pas encore gardés sur cet appareil.</p>
      ) : (
        <>
          <p>
            Tels qu’ils étaient {ageOf(stored.savedAt)}, le{" "}
            {formatDateTime(new Date(stored.savedAt))}.
          </p>
          {stored.titles.length === 0 && <p>Aucun billet, repas ni titre de transport en cours.</p>}
          <ul>
            {stored.titles.map((title) => (
              <li key={title.id}>
                <Title title={title} />
              </li>
            ))}
          </ul>
          <h3>Cartes</h3>
          <ul>
            {stored.cards.map(({ number, holder }) => (
              <li key={number} className={styles.offlineCard}>
                <strong>{formatCardnumber(number)}</strong> {holder}
              </li>
            ))}
          </ul>
          <p>
            Le QR code de paiement change chaque minute&#8239;: il lui faut du réseau. La carte
            elle-même n’en a pas besoin.
          </p>
        </>
      )}
    </section>
  );
}

const kindNames: Readonly<Record<StoredTitle["kind"], { name: string; ofName: string }>> = {
  ticket: { name: "Billet", ofName: "du billet" },
  pass: { name: "Titre de transport", ofName: "du titre de transport" },
  meal: { name: "Repas", ofName: "du repas" },
};

/** What ends with a day ends at the midnight that follows it: the day is told. */
const endOf = (endsAt: string): string =>
  formatTime(endsAt) === "00:00"
    ? formatDate(new Date(Date.parse(endsAt) - 1))
    : formatDateTime(endsAt);

function whenOf({ kind, startsAt, endsAt }: StoredTitle): string {
  if (kind === "pass") return `Jusqu’au ${endOf(endsAt)}`;
  return kind === "meal" ? formatDayInWords(startsAt) : formatDateTime(startsAt);
}

function Title({ title }: { title: StoredTitle }) {
  // The screen stays lit for a code that is seen, not for all of the list.
  const [isOpen, setIsOpen] = useState(false);
  const { kind, name, holder, code, about, cardnumber = 0 } = title;
  const when = whenOf(title);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span>
          <strong>{name}</strong>
          <br />
          {when}, {holder}
        </span>
      </summary>
      {isOpen && (
        <PaperTicket
          cardnumber={cardnumber}
          kind={kindNames[kind].name}
          holder={holder}
          code={
            <PresentedCode
              text={code}
              label={`Code ${kindNames[kind].ofName}, ${name}`}
              holder={holder}
              when={when}
            />
          }
          when={when}
        >
          <p>{about}</p>
        </PaperTicket>
      )}
    </details>
  );
}

/** « il y a 2 heures »: the age of what is shown. */
function ageOf(atMs: number): string {
  const minutes = Math.max(0, Math.round((Date.now() - atMs) / 60_000));
  if (minutes < 1) return "il y a moins d’une minute";
  if (minutes < 60) return `il y a ${plural(minutes, "minute")}`;
  const hours = Math.round(minutes / 60);
  return hours < 48
    ? `il y a ${plural(hours, "heure")}`
    : `il y a ${plural(Math.round(hours / 24), "jour")}`;
}
