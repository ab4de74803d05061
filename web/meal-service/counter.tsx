// The counter itself: ways to find a person, the verdict, what may still be undone, and the conflicts.
import { lazy, Suspense, useState } from "react";
import type { CounterPerson } from "#contract/meal-service/counter.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { formatTime, ofName } from "#contract/french.ts";
import { hasCamera } from "#web/signed-codes/camera-permission.ts";
import { Camera } from "#web/signed-codes/camera.tsx";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { read, currentReading, undo } from "./counter-state.ts";
import { canUndo, storedScans } from "./scan-queue.ts";
import { VerdictPanel } from "./verdict-panel.tsx";
import styles from "./counter.module.css";

// Not needed to serve: the first name of a queue does not wait for it.
const Conflicts = lazy(async () => ({
  default: (await import("./counter-conflicts.tsx")).Conflicts,
}));

type ReadMethod = "camera" | "number" | "list";
const ways: readonly { value: ReadMethod; label: string }[] = [
  { value: "camera", label: "Appareil photo" },
  { value: "number", label: "Numéro" },
  { value: "list", label: "Liste" },
];

export function Counter({ list }: { list: DayList }) {
  const [way, setWay] = useState<ReadMethod>("list");
  const last = useObserved(currentReading);
  return (
    <>
      <Suspense fallback={null}>
        <Conflicts canteen={list.canteen.id} />
      </Suspense>
      <VerdictPanel reading={last} />
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
    <Stack gap={12}>
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
    </Stack>
  );
}

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** Those to serve first, then who has no order; those served last. */
const rank = ({ order }: CounterPerson): number => (!order ? 1 : order.state === "served" ? 2 : 0);
const maxVisible = 60;

function ByList({ people }: { people: readonly CounterPerson[] }) {
  const [sought, setSought] = useState("");
  const words = plain(sought).split(/\s+/);
  const found = people
    .filter(({ name, class: room }) =>
      words.every((word) => plain(`${name} ${room}`).includes(word)),
    )
    .toSorted((a, b) => rank(a) - rank(b));
  const more = found.length - maxVisible;
  return (
    <Section title="Liste du jour">
      <TextInput
        label="Chercher un nom ou une classe"
        type="search"
        value={sought}
        onValue={setSought}
        autoComplete="off"
      />
      <DividedList>
        {found.slice(0, maxVisible).map((person) => (
          <li key={person.registration}>
            <button
              type="button"
              className={styles.person}
              onClick={() => void read({ registration: person.registration })}
            >
              <span>
                <strong>{person.name}</strong>
                {person.class && (
                  <Text as="span" tone="soft">
                    {" "}
                    {person.class}
                  </Text>
                )}
              </span>
              <PersonState person={person} />
            </button>
          </li>
        ))}
      </DividedList>
      {found.length === 0 && <p>Personne ne porte ce nom ici.</p>}
      {more > 0 && <p>Et {more} de plus : cherchez un nom ou une classe.</p>}
    </Section>
  );
}

function PersonState({ person: { order } }: { person: CounterPerson }) {
  if (!order)
    return (
      <Text as="span" tone="soft">
        Sans commande
      </Text>
    );
  if (order.state !== "served") return <Badge>À servir</Badge>;
  return (
    <Badge tone="success">Servi{order.servedAt ? ` à ${formatTime(order.servedAt)}` : ""}</Badge>
  );
}

function Recent() {
  const items = useObserved(storedScans).filter((item) => canUndo(item));
  if (items.length === 0) return null;
  return (
    <Section title="Cinq dernières minutes">
      <DividedList>
        {items.map((item) => (
          <li key={item.scan.id} className={styles.recent}>
            <span>
              <strong>{item.name}</strong>{" "}
              <Text as="span" tone="soft">
                {formatTime(item.scan.at)}
              </Text>
            </span>
            <Button size="small" onClick={() => void undo(item)}>
              Annuler<span className="unseen"> le passage {ofName(item.name)}</span>
            </Button>
          </li>
        ))}
      </DividedList>
    </Section>
  );
}
