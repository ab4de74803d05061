// The content of a request, part by part, each with the way to its step where it may be written.
import type { MembershipPage } from "#contract/memberships/rows.ts";
import { groupSiren } from "#contract/companies/siren.ts";
import type { MembershipPart } from "#contract/memberships/states.ts";
import {
  legalFormNames,
  membershipDocumentNames,
  membershipPartNames,
} from "#contract/memberships/words.ts";
import { Button } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./memberships.module.css";

type Line = { label: string; value: string };

function linesOf({ membership, categories }: MembershipPage, part: MembershipPart): Line[] {
  if (part === "company" && membership?.company) {
    const { name, legalForm, siret, street, postcode, town, owesVat, category } =
      membership.company;
    return [
      { label: "Nom", value: `${name}, ${legalFormNames[legalForm]}` },
      { label: "SIRET", value: groupSiren(siret) },
      { label: "Siège", value: `${street}, ${postcode} ${town}` },
      { label: "TVA", value: owesVat ? "Facturée" : "Non facturée" },
      { label: "Activité", value: categories.find(({ id }) => id === category)?.name ?? category },
    ];
  }
  if (part === "representative" && membership?.representative) {
    const { name, function: role, email, phonenumber } = membership.representative;
    return [
      { label: "Nom", value: `${name}, ${role}` },
      { label: "E-mail", value: email },
      { label: "Téléphone", value: frenchPhone(phonenumber) },
    ];
  }
  return (membership?.documents ?? []).map(({ kind, document }) => ({
    label: membershipDocumentNames[kind],
    value: document.name,
  }));
}

/** `verb` is what the button of a part says; without `onWrite` none has one. */
export function Summary({
  page,
  parts,
  verb = "Modifier",
  onWrite,
}: {
  page: MembershipPage;
  parts: readonly MembershipPart[];
  verb?: string;
  onWrite?: (part: MembershipPart) => void;
}) {
  return (
    <Stack gap={20}>
      {parts.map((part) => {
        const lines = linesOf(page, part);
        if (lines.length === 0) return null;
        return (
          <div key={part}>
            <div className={styles.partHead}>
              <Text as="h3" size="large">
                {membershipPartNames[part]}
              </Text>
              {onWrite && (
                <Button size="small" icon="edit" onClick={() => onWrite(part)}>
                  {verb}
                  <span className="unseen">{`\u202f: ${membershipPartNames[part]}`}</span>
                </Button>
              )}
            </div>
            <DefinitionList items={lines} />
          </div>
        );
      })}
    </Stack>
  );
}
