// One partnership as a side reads it: what waits, what was agreed, the other company, messages, figures.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { groupSiren } from "#contract/companies/siren.ts";
import { formatDate } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import type { Partnership } from "#contract/partners/partnerships.ts";
import { partnershipCan } from "#contract/partners/partnership-states.ts";
import { paths } from "#contract/paths.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DefinitionList, Section, Sides } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { Messages } from "./partnership-messages.tsx";
import { Terms } from "./partnership-terms.tsx";
import styles from "./partnerships.module.css";
import { percentOf } from "./partnership-words.ts";

const Figures = lazy(async () => ({
  default: (await import("./partnership-figures.tsx")).Figures,
}));
const EndForm = lazy(async () => ({
  default: (await import("./partnership-end-form.tsx")).EndForm,
}));

export function PartnershipParts({ one }: { one: Partnership }) {
  const [isEnding, setIsEnding] = useState(false);
  return (
    <>
      {one.state === "invited" && <Invitation one={one} />}
      {one.state === "ended" && (
        <Banner tone="info" title={`Terminé le ${formatDate(one.endedAt ?? one.at)}`}>
          {one.endedByUs ? "Votre entreprise y a mis fin" : "L’autre entreprise y a mis fin"}
          {one.endedWhy ? ` : «\u00a0${one.endedWhy}\u00a0»` : ""}. Les remises ne s’appliquent
          plus.
        </Banner>
      )}
      <Sides
        main={
          <>
            <Terms one={one} />
            {one.seesMoney && one.activeAt && (
              <Messages id={one.id} canWrite={partnershipCan.write(one)} />
            )}
          </>
        }
        side={
          <>
            <Company one={one} />
            {one.seesMoney && one.activeAt && (
              <Suspense fallback={<Skeleton height="8rem" />}>
                <Figures id={one.id} />
              </Suspense>
            )}
            {one.canDecide && partnershipCan.end(one) && (
              <Button icon="forbidden" aria-haspopup="dialog" onClick={() => setIsEnding(true)}>
                Mettre fin au partenariat
              </Button>
            )}
          </>
        }
      />
      <Dialog open={isEnding} onClose={() => setIsEnding(false)} title="Mettre fin au partenariat">
        {isEnding && (
          <Suspense fallback={<Skeleton height="8rem" />}>
            <EndForm id={one.id} onClose={() => setIsEnding(false)} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}

/** An invitation that waits: answered on one side, taken back on the other. */
function Invitation({ one }: { one: Partnership }) {
  const answer = useAction(
    (accept: boolean) => call(api.partnerships.answer, { id: one.id, accept }),
    {
      says: (_, accept) => (accept ? "Le partenariat est en cours." : "L’invitation est refusée."),
    },
  );
  const withdraw = useAction(() => call(api.partnerships.withdraw, { id: one.id }), {
    says: "L’invitation est retirée.",
  });
  const first = one.versions[0];
  return (
    <Banner
      tone="info"
      title={one.isInviter ? "L’invitation attend sa réponse" : `${one.name ?? ""} vous invite`}
      actions={
        one.canDecide &&
        (one.isInviter ? (
          <Button loading={withdraw.isPending} onClick={() => withdraw.send()}>
            Retirer l’invitation
          </Button>
        ) : (
          <>
            <Button kind="primary" loading={answer.isPending} onClick={() => answer.send(true)}>
              Accepter
            </Button>
            <Button disabled={answer.isPending} onClick={() => answer.send(false)}>
              Refuser
            </Button>
          </>
        ))
      }
    >
      {one.note && <p className={styles.quote}>«&nbsp;{one.note}&nbsp;»</p>}
      {first && (
        <p>
          Pour vos cartes à leurs caisses&#8239;: {percentOf(first.getsPercent).toLowerCase()}. Pour
          les leurs aux vôtres&#8239;: {percentOf(first.givesPercent).toLowerCase()}.
        </p>
      )}
      <p>Sans réponse le {formatDate(one.expiresAt)}, elle s’efface d’elle-même.</p>
      <ProblemBanner problem={answer.problem ?? withdraw.problem} />
    </Banner>
  );
}

/** The other company, with its sheets of the directory and their offers. */
const Company = ({ one }: { one: Partnership }) => (
  <Section title="Entreprise">
    <DefinitionList
      items={[
        one.name ? { label: "Nom", value: one.name } : null,
        one.siren ? { label: "SIREN", value: groupSiren(one.siren) } : null,
        one.address ? { label: "Adresse", value: one.address } : null,
        one.invited ? { label: "Numéro invité", value: one.invited } : null,
        one.activeAt ? { label: "Depuis le", value: formatDate(one.activeAt) } : null,
      ]}
    />
    {one.sheets.map((sheet) => (
      <div key={sheet.id} className={styles.sheet}>
        <h3 className={styles.name}>
          <Link href={linkTo(paths.repertory, {}, { sheet: sheet.id })}>{sheet.name}</Link>
        </h3>
        <Text tone="soft" size="small" weight="normal">
          {sheet.category}, {sheet.street}, {sheet.town}
        </Text>
        {sheet.offers.length > 0 && (
          <ul className={styles.offers}>
            {sheet.offers.map(({ title, detail }) => (
              <li key={title}>
                {title}
                {detail && (
                  <Text as="span" tone="soft" size="small" weight="normal">
                    {" "}
                    {detail}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    ))}
  </Section>
);
