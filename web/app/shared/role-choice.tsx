// The roles of a person in the company: what each opens is said before it is chosen.
import { api } from "#contract/api.ts";
import { type CompanyRole, companyRoleNames, companyRoles } from "#contract/companies/roles.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Checkbox } from "#web/ui/choice.tsx";

const hints: Readonly<Record<CompanyRole, string>> = {
  owner:
    "Décide de tout\u202f: équipe, cartes, conditions, compte bancaire, règles, tarifs et fermetures de la cantine. Ne se cumule avec aucun autre rôle.",
  accountant:
    "Voit les ventes, les factures, ce qui est dû et le compte bancaire masqué\u202f; rembourse et clôture à la caisse. À la cantine, répond aux familles\u202f: inscriptions, certificats, messages.",
  cashier:
    "Encaisse à la caisse, contrôle les billets et les titres de transport. Ne voit ni la cantine, ni les factures, ni les cartes.",
  counter:
    "Sert au guichet de la cantine, par la carte ou par le nom, aussi sans réseau, et suit les repas du jour et les absences. Y voit les allergies des enfants. Ne voit ni tarifs, ni dossiers des familles.",
  kitchen:
    "Écrit les menus, les plats et leurs allergènes, et voit les quantités à cuisiner. Ne voit ni guichet, ni familles, ni argent.",
};

/** Roles of who works at a canteen, of no use where there is none. */
const ofCanteen: ReadonlySet<CompanyRole> = new Set(["counter", "kitchen"]);

export function RoleChoice({
  roles,
  onRoles,
  among = companyRoles,
}: {
  roles: readonly CompanyRole[];
  onRoles: (roles: CompanyRole[]) => void;
  among?: readonly CompanyRole[];
}) {
  const canteens = useAnswer(api.canteen.ownCanteens, {});
  const hasCanteen = canteens.data?.items.length !== 0;
  const visibleRoles = among.filter(
    (role) => hasCanteen || !ofCanteen.has(role) || roles.includes(role),
  );
  const change = (role: CompanyRole, isChosen: boolean) => {
    if (role === "owner") return onRoles(isChosen ? ["owner"] : []);
    const others = roles.filter((one) => one !== role && one !== "owner");
    const next = isChosen ? [...others, role] : others;
    return onRoles(companyRoles.filter((one) => next.includes(one)));
  };
  return (
    <fieldset className="choice-group">
      <legend className="choice-legend">Dans l’entreprise</legend>
      <p className="field-hint">
        Un ou plusieurs rôles. Sans rôle, la personne garde sa carte et ne voit rien de
        l’entreprise.
      </p>
      {visibleRoles.map((role) => (
        <Checkbox
          key={role}
          label={companyRoleNames[role]}
          hint={hints[role]}
          checked={roles.includes(role)}
          onChecked={(isChosen) => change(role, isChosen)}
        />
      ))}
    </fieldset>
  );
}
