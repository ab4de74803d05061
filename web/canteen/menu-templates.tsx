// Weeks kept without dates: laid on the week shown, kept from it, deleted.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { MenuTemplate, MenuWeek } from "#contract/canteen/menus.ts";
import { plural } from "#contract/french.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { ErrorState, Skeleton } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import styles from "./desk.module.css";
import { weekWords } from "./menu-week.ts";

interface Templates {
  items: MenuTemplate[];
}

const keepTemplates = (templates: Templates): void =>
  void queryClient.setQueryData(keyOf(api.canteen.menuTemplates, {}), templates);

export function MenuTemplates({
  monday,
  hasMenus,
  onLaid,
}: {
  monday: string;
  hasMenus: boolean;
  onLaid: (week: MenuWeek) => void;
}) {
  const templates = useAnswer(api.canteen.menuTemplates, {});
  const items = templates.data?.items;
  return (
    <div className={styles.templates}>
      <p className={styles.soft}>{weekWords(monday)}</p>
      {templates.isPending && <Skeleton lines={3} height="3rem" />}
      {templates.isError && !items && <ErrorState answer={templates} />}
      {items?.length === 0 && <p>Aucune semaine type pour l’instant.</p>}
      {items && items.length > 0 && <TemplateList items={items} monday={monday} onLaid={onLaid} />}
      {hasMenus && <SaveForm monday={monday} />}
    </div>
  );
}

function TemplateList({
  items,
  monday,
  onLaid,
}: {
  items: readonly MenuTemplate[];
  monday: string;
  onLaid: (week: MenuWeek) => void;
}) {
  const [asked, setAsked] = useState("");
  const lay = useMutation<MenuWeek, ApiProblem, { id: string; replace: boolean }>({
    mutationFn: ({ id, replace }) => call(api.canteen.layMenuTemplate, { id, to: monday, replace }),
    onSuccess: (week) => {
      notify({ text: "Semaine posée. Publiez-la quand elle est prête.", kind: "success" });
      onLaid(week);
    },
  });
  const remove = useMutation<Templates, ApiProblem, string>({
    mutationFn: (id) => call(api.canteen.deleteMenuTemplate, { id }),
    onSuccess: keepTemplates,
  });
  const press = (id: string) => {
    setAsked(id);
    lay.mutate({ id, replace: replaces && asked === id });
  };
  const replaces = lay.error?.code === "menu_there";
  return (
    <>
      <ul className={styles.templateList}>
        {items.map(({ id, name, days }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong> <span className={styles.soft}>{plural(days, "jour")}</span>
            </span>
            <Button size="small" loading={lay.isPending && asked === id} onClick={() => press(id)}>
              {replaces && asked === id ? "Remplacer" : "Poser"}
              <span className="unseen"> {name}</span>
            </Button>
            <IconButton
              icon="trash"
              label={`Supprimer ${name}`}
              onClick={() => remove.mutate(id)}
            />
          </li>
        ))}
      </ul>
      <ProblemBanner problem={lay.error ?? remove.error} />
    </>
  );
}

function SaveForm({ monday }: { monday: string }) {
  const keep = useMutation<Templates, ApiProblem, { name: string }>({
    mutationFn: ({ name }) => call(api.canteen.saveMenuTemplate, { name, day: monday }),
    onSuccess: (templates) => {
      keepTemplates(templates);
      notify({ text: "Semaine type enregistrée.", kind: "success" });
    },
  });
  const { field, problem, form } = useForm(
    { name: "" },
    ({ name }) => ({ name: name.trim() === "" && "Donnez un nom à cette semaine type." }),
    keep,
  );
  return (
    <form {...form}>
      <TextInput
        label="Garder cette semaine sous le nom"
        hint="Un nom déjà pris remplace la semaine type qui le porte."
        maxLength={60}
        autoComplete="off"
        {...field("name")}
      />
      <ProblemBanner problem={problem} />
      <FormActions kind="secondary" submit="Garder comme semaine type" isSending={keep.isPending} />
    </form>
  );
}
