// « Mon entreprise »: who it is for the law, who acts for it and where it is paid.
import { api } from "#contract/api.ts";
import type { Company } from "#contract/companies/rows.ts";
import { companyCan, roleWords } from "#contract/companies/roles.ts";
import { groupSiren } from "#contract/companies/siren.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList, Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { BankAccount } from "./bank-account.tsx";
import { People } from "./people.tsx";

export function CompanyPage() {
  const answer = useAnswer(api.companies.mine, {});
  const company = answer.data?.company;
  return (
    <Page>
      <PageHeader title="Mon entreprise" lead={company ? company.name : "\u00a0"} />
      {answer.isPending && (
        <Section>
          <Loading label="Chargement de l’entreprise…">
            <Skeleton lines={6} height="3rem" />
          </Loading>
        </Section>
      )}
      {answer.isError && !answer.data && (
        <ErrorState title="L’entreprise n’a pas pu être chargée." answer={answer} />
      )}
      {company === null && (
        <EmptyState
          icon="people"
          title="Votre numéro n’est rattaché à aucune entreprise"
          action={
            <ButtonLink href={linkTo(paths.membership, { code_services: "devenir-partenaire" })}>
              Faire une demande d’adhésion
            </ButtonLink>
          }
        >
          Demandez au responsable de votre entreprise de vous donner un rôle, ou inscrivez la vôtre.
        </EmptyState>
      )}
      {company && (
        <>
          <Identity company={company} />
          {companyCan.seeMoney(company.roles) && (
            <>
              <BankAccount />
              <People />
            </>
          )}
        </>
      )}
    </Page>
  );
}

const Identity = ({ company }: { company: Company }) => (
  <Section title="Identité">
    <DefinitionList
      items={[
        { label: "Nom", value: company.name },
        company.siret ? { label: "SIRET du siège", value: groupSiren(company.siret) } : null,
        company.vatNumber ? { label: "Numéro de TVA", value: company.vatNumber } : null,
        { label: "Adresse", value: `${company.street}, ${company.postcode} ${company.town}` },
        {
          label: company.roles.length > 1 ? "Vos rôles" : "Votre rôle",
          value: roleWords(company.roles),
        },
      ]}
    />
  </Section>
);
