// The counter itself: ways to find a person, the verdict, what may still be undone, and the conflicts.
import { useState } from "react";
import type { CounterPerson, ScanConflict } from "#contract/canteen/counter.ts";
import type { DayList } from "#contract/canteen/service.ts";
import { formatTime, ofName } from "#contract/french.ts";
import { Camera, hasCamera } from "#web/app/camera.tsx";
import { useObserved } from "#web/app/use-observed.ts";
import { Badge, Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { read, shown, undo } from "./counter-state.ts";
import { canUndo, dismissConflict, type KeptScan, keptScans } from "./kept-scans.ts";
import { VerdictPanel } from "./verdict-panel.tsx";
import styles from "./counter.module.css";

type Way = "camera" | "number" | "list";
const ways: readonly { value: Way; label: string }[] = [
  { value: "camera", label: "Appareil photo" },
  { value: "number", label: "Numéro" },
  { value: "list", label: "Liste" },
];

export function Counter({ list }: { list: DayList }) {
  const [way, setWay] = useState<Way>("list");
  const last = useObserved(shown);
  return (
    <>
      <Conflicts />
      <VerdictPanel shown={last} />
      <Chips
        label="Trouver une personne"
        options={ways.filter(({ value }) => hasCamera() || value !== "camera")}
        value={[way]}
        onValue={setWay}
      />
      {way === "camera" && (
        <Camera onCode={readText} instead="ou servez par numéro ou par la liste" />
      )}
      {way === "number" && <ByNumber />}
      {way === "list" && <ByList people={list.people} />}
      <Recent />
    </>
  );
}

/** What a camera or a hand reader gives, or a hand types: a code, else a number. */
function readText(text: string): void {
  const number = Number(text.replaceAll(/\s/g, ""));
  void read(Number.isSafeInteger(number) ? { number } : { token: text.trim() });
}

function ByNumber() {
  const [typed, setTyped] = useState("");
  const serve = () => {
    if (typed.trim() === "") return;
    readText(typed);
    setTyped("");
  };
  return (
    <div className={styles.byNumber}>
      <TextInput
        label="Numéro de carte, ou code d’un lecteur"
        value={typed}
        onValue={setTyped}
        // A hand reader ends what it types with this key.
        onKeyDown={({ key }) => key === "Enter" && serve()}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
      />
      <Button kind="primary" icon="check" onClick={serve}>
        Servir
      </Button>
    </div>
  );
}

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** Those to serve first, then who has no order; those served last. */
const rank = ({ order }: CounterPerson): number => (!order ? 1 : order.state === "served" ? 2 : 0);
const mostShown = 60;

function ByList({ people }: { people: readonly CounterPerson[] }) {
  const [sought, setSought] = useState("");
  const words = plain(sought).split(/\s+/);
  const found = people
    .filter(({ name, class: room }) =>
      words.every((word) => plain(`${name} ${room}`).includes(word)),
    )
    .toSorted((a, b) => rank(a) - rank(b));
  const more = found.length - mostShown;
  return (
    <Section title="Liste du jour">
      <TextInput
        label="Chercher un nom ou une classe"
        type="search"
        value={sought}
        onValue={setSought}
        autoComplete="off"
      />
      <ul className={styles.people}>
        {found.slice(0, mostShown).map((person) => (
          <li key={person.registration}>
            <button
              type="button"
              className={styles.person}
              onClick={() => void read({ registration: person.registration })}
            >
              <span>
                <strong>{person.name}</strong>
                {person.class && <span className={styles.soft}> {person.class}</span>}
              </span>
              <PersonState person={person} />
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p>Personne ne porte ce nom ici.</p>}
      {more > 0 && <p>Et {more} de plus : cherchez un nom ou une classe.</p>}
    </Section>
  );
}

function PersonState({ person: { order } }: { person: CounterPerson }) {
  if (!order) return <span className={styles.soft}>Sans commande</span>;
  if (order.state !== "served") return <Badge>À servir</Badge>;
  return (
    <Badge tone="success">Servi{order.servedAt ? ` à ${formatTime(order.servedAt)}` : ""}</Badge>
  );
}

const conflictWords = (item: KeptScan, conflict: ScanConflict): string => {
  const { servedAt } = item.result ?? {};
  const words: Record<ScanConflict, string> = {
    served_elsewhere: `servi aussi${servedAt ? ` à ${formatTime(servedAt)}` : ""} par un autre appareil. Rien n’est compté deux fois.`,
    opposed_since: "carte opposée depuis. Le repas n’est pas compté.",
    cancelled_since: "commande annulée depuis. Le repas n’est pas compté.",
    closed_day: "pas de service ce jour-là. Le repas n’est ni compté ni débité.",
    unpaid: "la cagnotte ne peut pas payer ce repas. Il reste à encaisser.",
    undo_late: "plus de 5 minutes ont passé, le passage n’est pas annulé.",
  };
  return words[conflict];
};

/** What this device did and the server found otherwise, one by one until it is read. */
function Conflicts() {
  const items = useObserved(keptScans);
  return items.map((item) => {
    const conflict = item.result?.conflict;
    if (!conflict) return null;
    return (
      <Banner
        key={item.scan.id}
        tone="warning"
        title={`${item.name}, ${formatTime(item.scan.at)}`}
        actions={
          <Button size="small" onClick={() => dismissConflict(item.scan.id)}>
            J’ai vu<span className="unseen"> pour {item.name}</span>
          </Button>
        }
      >
        {conflictWords(item, conflict)}
      </Banner>
    );
  });
}

function Recent() {
  const items = useObserved(keptScans).filter((item) => canUndo(item));
  if (items.length === 0) return null;
  return (
    <Section title="Cinq dernières minutes">
      <ul className={styles.people}>
        {items.map((item) => (
          <li key={item.scan.id} className={styles.recent}>
            <span>
              <strong>{item.name}</strong>{" "}
              <span className={styles.soft}>{formatTime(item.scan.at)}</span>
            </span>
            <Button size="small" onClick={() => void undo(item)}>
              Annuler<span className="unseen"> le passage {ofName(item.name)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
