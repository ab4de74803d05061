// Who acts for the company. Its owners give, change and take roles; an accountant reads them.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { CompanyPerson } from "#contract/companies/people.ts";
import { roleWords } from "#contract/companies/roles.ts";
import { formatCardnumber, formatDate, ofName, plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { Row } from "#web/ui/stack.tsx";
import { Loading, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./companies.module.css";

const RoleForm = lazy(async () => ({ default: (await import("./role-form.tsx")).RoleForm }));

export function People() {
  const answer = useAnswer(api.companies.people, {});
  const seen = answer.data;
  // Who was chosen last stays while the dialog closes.
  const [chosen, setChosen] = useState<CompanyPerson | null>(null);
  const [open, setOpen] = useState(false);
  const acting = seen?.items.filter(({ roles }) => roles.length > 0).length ?? 0;
  return (
    <Section
      title="Équipe"
      action={
        <ButtonLink size="small" href={paths.proCards}>
          Cartes pro
        </ButtonLink>
      }
    >
      {!seen && (
        <NotLoaded
          answer={answer}
          label="Chargement de l’équipe…"
          lines={3}
          height="3.5rem"
          failed="L’équipe n’a pas pu être chargée."
        />
      )}
      {seen && (
        <>
          <Text tone="soft" size="small" weight="normal">
            {plural(acting, "personne agit", "personnes agissent")} pour l’entreprise. Un rôle
            change ce que la personne voit aussitôt.
          </Text>
          <Table
            caption="Personnes de l’entreprise"
            columns={columnsOf(seen.canManage, (person) => {
              setChosen(person);
              setOpen(true);
            })}
            rows={seen.items}
            keyOf={({ cardnumber }) => cardnumber}
          />
        </>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={chosen ? `Rôle ${ofName(chosen.name)}` : ""}
      >
        {chosen && (
          <Suspense
            fallback={
              <Loading>
                <Skeleton lines={4} height="3rem" />
              </Loading>
            }
          >
            <RoleForm
              key={`${chosen.cardnumber} ${String(open)}`}
              person={chosen}
              onClose={() => setOpen(false)}
            />
          </Suspense>
        )}
      </Dialog>
    </Section>
  );
}

function columnsOf(
  canManage: boolean,
  onChoose: (person: CompanyPerson) => void,
): Column<CompanyPerson>[] {
  const columns: (Column<CompanyPerson> | false)[] = [
    {
      key: "name",
      label: "Personne",
      place: "title",
      cell: ({ name, cardnumber, own }) => (
        <Row as="span" wrap={false}>
          <Avatar name={name} size="small" />
          <span className={styles.words}>
            <Text as="span" weight="strong" breakWord>
              {name}
            </Text>
            <Text as="span" tone="soft" size="small" weight="normal">
              {formatCardnumber(cardnumber)}
              {own && ", vous"}
            </Text>
          </span>
        </Row>
      ),
    },
    {
      key: "role",
      label: "Rôle",
      place: "end",
      cell: ({ roles }) =>
        roles.length > 0 ? (
          <Badge>{roleWords(roles)}</Badge>
        ) : (
          <Text as="span" tone="soft" size="small" weight="normal">
            Aucun
          </Text>
        ),
    },
    {
      key: "since",
      label: "Depuis",
      cell: ({ since }) =>
        since ? (
          formatDate(since)
        ) : (
          <Text as="span" tone="soft" size="small" weight="normal">
            —
          </Text>
        ),
    },
    canManage && {
      key: "acts",
      label: "Actions",
      align: "end",
      cell: (person) => (
        <Button size="small" icon="edit" aria-haspopup="dialog" onClick={() => onChoose(person)}>
          {person.roles.length > 0 ? "Changer" : "Donner un rôle"}
          <span className="unseen">
            {person.roles.length > 0 ? ` le rôle ${ofName(person.name)}` : ` à ${person.name}`}
          </span>
        </Button>
      ),
    },
  ];
  return columns.filter((column) => column !== false);
}
