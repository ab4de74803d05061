// The list of the day at the counter: classes as chips with what is served of each, a search, and a line for
// everybody who eats there.
import { useState } from "react";
import type { CounterPerson } from "#contract/meal-service/counter.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { codeIn } from "#web/signed-codes/hand-reader.ts";
import { Chips } from "#web/ui/choice.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { read } from "./counter-state.ts";
import { classesOf, classWords, type DayClass, rank } from "./day-classes.ts";
import { PersonRow } from "./person-row.tsx";
import styles from "./day-people.module.css";

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();

/** Lines that are drawn at once: a list that takes long to draw holds up the next verdict. */
const maxVisible = 60;
const all = "all";
const valueOf = ({ name }: DayClass): string => `class ${name}`;

/** The lines of some classes that are drawn, those to serve first; a class without one is left out. */
function drawnLines(classes: readonly DayClass[]): DayClass[] {
  const inOrder = classes.flatMap(({ people }) => people).toSorted((a, b) => rank(a) - rank(b));
  const drawn = new Set(inOrder.slice(0, maxVisible));
  return classes
    .map((one) => ({ ...one, people: one.people.filter((person) => drawn.has(person)) }))
    .filter(({ people }) => people.length > 0);
}

export function DayPeople({ list }: { list: DayList }) {
  const [chosen, setChosen] = useState<string>(all);
  const [sought, setSought] = useState("");
  const classes = classesOf(list.people, list.canteen.classes);
  const inClass = classes.filter((one) => valueOf(one) === chosen);
  const words = plain(sought).split(/\s+/);
  const matches = ({ name, class: room }: CounterPerson): boolean =>
    words.every((word) => plain(`${name} ${room}`).includes(word));
  // A class of which nobody is left is not a filter any more.
  const found = (inClass.length > 0 ? inClass : classes).map((one) => ({
    ...one,
    people: one.people.filter(matches),
  }));
  const total = found.reduce((sum, { people }) => sum + people.length, 0);
  const hasClasses = classes.length > 1;
  // A hand reader types where the keyboard stands.
  const readCode = () => {
    const code = codeIn(sought);
    if (code === null) return;
    setSought("");
    void read({ token: code });
  };
  return (
    <Section title="Liste du jour">
      {hasClasses && (
        <div className={styles.classes}>
          <Chips
            label="Classe"
            options={[
              { value: all, label: "Toutes" },
              ...classes.map((one) => ({ value: valueOf(one), label: classWords(one) })),
            ]}
            value={[inClass.length > 0 ? chosen : all]}
            onValue={(value) => setChosen(value === chosen ? all : value)}
          />
        </div>
      )}
      <TextInput
        label="Chercher un nom ou une classe"
        type="search"
        value={sought}
        onValue={setSought}
        onKeyDown={({ key }) => key === "Enter" && readCode()}
        autoComplete="off"
      />
      {drawnLines(found).map((one) => (
        <Stack key={one.name} gap={4}>
          {hasClasses && <h3>{one.name || "Sans classe"}</h3>}
          <DividedList>
            {one.people.map((person) => (
              <PersonRow key={person.registration} person={person} withClass={!hasClasses} />
            ))}
          </DividedList>
        </Stack>
      ))}
      {total === 0 && <p>Personne ne porte ce nom ici.</p>}
      {total > maxVisible && (
        <Text tone="soft">
          Et {total - maxVisible} de plus&#8239;: {hasClasses && "choisissez une classe ou "}
          cherchez un nom.
        </Text>
      )}
    </Section>
  );
}
