// The tour of the first day, offered on the home in one line until it is walked or dismissed.
import { paths } from "#contract/paths.ts";
import { useEndTour } from "#web/identity/use-end-tour.ts";
import { ButtonLink, IconButton } from "#web/ui/button.tsx";
import { Row } from "#web/ui/stack.tsx";

export function TourLine() {
  const end = useEndTour();
  return (
    <Row spread wrap={false}>
      <ButtonLink kind="ghost" size="small" icon="compass" href={paths.tour}>
        Faire le tour de votre carte
      </ButtonLink>
      <IconButton
        icon="close"
        label="Ne plus proposer"
        aria-busy={end.isPending || undefined}
        onClick={() => end.isPending || end.send(null)}
      />
    </Row>
  );
}
