// Writing the menu of a day: its dishes with their course, labels, allergens and who they are made for.
import { useRef, useState } from "react";
import { type Allergen, allergenNames, allergens } from "#contract/allergies/rows.ts";
import { api } from "#contract/api.ts";
import type { Dish, MenuView, MenuWeek } from "#contract/kitchen/menus.ts";
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import {
  type Course,
  courseNames,
  courses,
  dietNames,
  type DishDiet,
  dishDiets,
  type DishLabel,
  dishLabelNames,
  dishLabels,
} from "#contract/kitchen/states.ts";
import { formatDayInWords, parseMoney } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chips, Select } from "#web/ui/choice.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./menus.module.css";

interface TypedDish {
  key: number;
  course: Course;
  name: string;
  price: string;
  labels: readonly DishLabel[];
  /** Whether its allergens are declared, and whether it has any. */
  declared: Declared;
  allergens: readonly Allergen[];
  diets: readonly DishDiet[];
}

const declarations = ["not", "none", "some"] as const;
type Declared = (typeof declarations)[number];
const declaredNames: Readonly<Record<Declared, string>> = {
  not: "Non renseignés",
  none: "Aucun des quatorze",
  some: "Contient…",
};

interface Typed {
  note: string;
  dishes: readonly TypedDish[];
}

const maxDishes = 15;
const usual: readonly Course[] = ["starter", "main", "side", "dairy", "dessert"];
const maxCents = 10_000;

const nameFault = ({ name }: TypedDish) =>
  name.trim() === "" && "Donnez un nom à ce plat, ou retirez-le.";
const priceFault = ({ price }: TypedDish) => {
  const cents = price.trim() === "" ? 0 : parseMoney(price);
  return (
    (cents === null || cents > maxCents) &&
    "Indiquez un prix en euros, au plus 100 €, ou laissez vide."
  );
};

const allergenFault = ({ declared, allergens: chosen }: TypedDish) =>
  declared === "some" && chosen.length === 0 && "Choisissez ce que ce plat contient.";

const faultsOf = ({ dishes }: Typed): Faults<Typed> => ({
  dishes:
    dishes.some((dish) => nameFault(dish) || priceFault(dish) || allergenFault(dish)) &&
    "Des plats sont à revoir.",
});

const typedOf = (dish: Dish, key: number): TypedDish => ({
  key,
  course: dish.course,
  name: dish.name,
  price: dish.priceCents === null ? "" : (dish.priceCents / 100).toFixed(2).replace(".", ","),
  labels: dish.labels,
  declared: dish.allergens === null ? "not" : dish.allergens.length === 0 ? "none" : "some",
  allergens: dish.allergens ?? [],
  diets: dish.diets,
});

const emptyDish = (course: Course, key: number): TypedDish => ({
  key,
  course,
  name: "",
  price: "",
  labels: [],
  declared: "not",
  allergens: [],
  diets: [],
});

const dishOf = (typed: TypedDish): Dish => ({
  course: typed.course,
  name: typed.name,
  labels: [...typed.labels],
  allergens:
    typed.declared === "not" ? null : typed.declared === "none" ? [] : [...typed.allergens],
  diets: [...typed.diets],
  priceCents: typed.price.trim() === "" ? null : parseMoney(typed.price),
});

const byCourse = (one: TypedDish, other: TypedDish) =>
  courses.indexOf(one.course) - courses.indexOf(other.course);

export function MenuEditor({
  menu,
  onWritten,
  onClose,
}: {
  menu: MenuView;
  onWritten: (week: MenuWeek) => void;
  onClose: () => void;
}) {
  const [isUndeclared, setIsUndeclared] = useState(false);
  const write = useAction(
    // Sent again after that refusal, it is confirmed.
    ({ note, dishes }: Typed) =>
      call(api.canteen.writeMenu, {
        day: menu.day,
        note,
        dishes: dishes.toSorted(byCourse).map(dishOf),
        undeclared: isUndeclared,
      }),
    {
      says: "Menu enregistré.",
      onDone: (week) => onWritten(week),
      onRefused: ({ code }) => setIsUndeclared(code === "menu_undeclared"),
    },
  );
  const first =
    menu.dishes.length > 0
      ? menu.dishes.map(typedOf)
      : usual.map((course, key) => emptyDish(course, key));
  const [firstCount] = useState(first.length);
  const nextKey = useRef(firstCount);
  const { values, set, field, errorOf, problem, form } = useForm<Typed>(
    { note: menu.note, dishes: first },
    faultsOf,
    write,
  );
  const { dishes } = values;
  const change = (key: number, part: Partial<TypedDish>) =>
    set({ dishes: dishes.map((dish) => (dish.key === key ? { ...dish, ...part } : dish)) });
  const add = () => {
    nextKey.current += 1;
    set({ dishes: [...dishes, emptyDish("other", nextKey.current)] });
  };
  const isChecked = Boolean(errorOf("dishes"));
  return (
    <form {...form}>
      <p className={styles.editorDay}>{formatDayInWords(menu.day)}</p>
      {menu.published && (
        <Text tone="soft" size="fine">
          Ce menu est publié{"\u202f"}: les familles verront le changement.
        </Text>
      )}
      {dishes.map((dish, place) => (
        <DishFields
          key={dish.key}
          dish={dish}
          place={place + 1}
          isChecked={isChecked}
          isAdded={dish.key > firstCount}
          onChange={(part) => change(dish.key, part)}
          onRemove={() => set({ dishes: dishes.filter(({ key }) => key !== dish.key) })}
        />
      ))}
      {dishes.length === 0 && <p>Sans plat, ce jour n’aura pas de menu.</p>}
      {dishes.length < maxDishes && (
        <Button icon="plus" onClick={add}>
          Ajouter un plat
        </Button>
      )}
      <TextInput
        label="Note pour les familles"
        hint="Par exemple, un repas à thème."
        optional
        maxLength={300}
        {...field("note")}
      />
      <ProblemBanner problem={problem} title="Le menu n’a pas été enregistré." />
      <FormActions
        submit={isUndeclared ? "Enregistrer ainsi" : "Enregistrer le menu"}
        isSending={write.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

function DishFields({
  dish,
  place,
  isChecked,
  isAdded,
  onChange,
  onRemove,
}: {
  dish: TypedDish;
  place: number;
  isChecked: boolean;
  /** Added just now: its first field gets the focus. */
  isAdded: boolean;
  onChange: (part: Partial<TypedDish>) => void;
  onRemove: () => void;
}) {
  const toggled = <T extends string>(all: readonly T[], one: T) =>
    all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
  return (
    <fieldset className={styles.dishFields}>
      <legend>Plat {place}</legend>
      <div className={styles.dishMain}>
        <Select
          label="Service"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- its button, below it, may be out of view now
          autoFocus={isAdded}
          options={courses.map((value) => ({ value, label: courseNames[value] }))}
          value={dish.course}
          onValue={(course) => onChange({ course })}
        />
        <TextInput
          label="Nom du plat"
          maxLength={160}
          autoComplete="off"
          value={dish.name}
          onValue={(name) => onChange({ name })}
          error={isChecked && nameFault(dish)}
        />
      </div>
      <Select
        label="Allergènes"
        options={declarations.map((value) => ({ value, label: declaredNames[value] }))}
        value={dish.declared}
        onValue={(declared) => onChange({ declared })}
        error={isChecked && allergenFault(dish)}
      />
      {dish.declared === "some" && (
        <Chips
          label={`Allergènes du plat ${place}`}
          options={allergens.map((value) => ({ value, label: allergenNames[value] }))}
          value={dish.allergens}
          onValue={(one) => onChange({ allergens: toggled(dish.allergens, one) })}
        />
      )}
      <details className={styles.more}>
        <summary>{detailsOf(dish)}</summary>
        <p className={styles.chipsTitle}>Labels</p>
        <Chips
          label={`Labels du plat ${place}`}
          options={dishLabels.map((value) => ({ value, label: dishLabelNames[value] }))}
          value={dish.labels}
          onValue={(label) => onChange({ labels: toggled(dish.labels, label) })}
        />
        <p className={styles.chipsTitle}>Pour un régime</p>
        <Chips
          label={`Régimes du plat ${place}`}
          options={dishDiets.map((value) => ({ value, label: dietNames[value] }))}
          value={dish.diets}
          onValue={(diet) => onChange({ diets: toggled(dish.diets, diet) })}
        />
        <Text tone="soft" size="fine">
          À ces enfants, il est servi à la place des autres plats du même service.
        </Text>
        <TextInput
          label="Prix, en euros"
          hint="Seulement si le plat se vend seul."
          optional
          inputMode="decimal"
          autoComplete="off"
          value={dish.price}
          onValue={(price) => onChange({ price })}
          error={isChecked && priceFault(dish)}
        />
      </details>
      <Button size="small" kind="ghost" icon="trash" onClick={onRemove}>
        Retirer<span className="unseen"> le plat {place}</span>
      </Button>
    </fieldset>
  );
}

/** A summary of the folded part, so that nobody opens it to see. */
function detailsOf({ labels, diets }: TypedDish): string {
  const words = [
    labels.map((label) => dishLabelNames[label]).join(", ") || "aucun label",
    ...(diets.length > 0 ? [`servi aux régimes\u202f: ${dietWords({ diets })}`] : []),
  ];
  return `Labels, régimes, prix\u202f: ${words.join(" · ")}`;
}
