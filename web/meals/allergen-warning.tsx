// The allergen warning of a meal, in a line: the allergens of its menu that the person declared, or that none
// are declared.
import { type AllergenWarning, warningWords } from "#contract/kitchen/dish-allergens.ts";
import { Icon } from "#web/ui/icon.tsx";
import styles from "./family-meals.module.css";

export const AllergenWarningLine = ({ warning }: { warning: AllergenWarning | null }) =>
  warning && (
    <span className={styles.warned}>
      <Icon name="warning" size={16} /> Au menu&#8239;: {warningWords(warning)}
    </span>
  );
