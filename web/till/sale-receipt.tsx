// The receipt of a sale for who sold it: as PDF, and sent to the holder once more.
import { api } from "#contract/api.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";

export function SaleReceipt({ sale: { id, holder } }: { sale: TillSale }) {
  const sending = useAction(() => call(api.till.sendReceipt, { sale: id }));
  const who = holder ?? "La personne";
  return (
    <Stack gap={8}>
      <Actions gap={8}>
        <DownloadButton
          row={api.till.saleReceipt}
          input={{ sale: id }}
          size="small"
          failed="Le reçu n’a pas pu être préparé."
        >
          Reçu (PDF)
        </DownloadButton>
        <Button size="small" icon="send" loading={sending.isPending} onClick={() => sending.send()}>
          {sending.isSuccess ? "Envoyer de nouveau" : "Envoyer le reçu"}
        </Button>
      </Actions>
      <Text as="output" tone="soft" size="fine">
        {sending.isSuccess
          ? `Reçu envoyé. ${who} le trouve aussi dans ses opérations.`
          : `${who} a ce reçu dans ses opérations.`}
      </Text>
      <ProblemBanner problem={sending.problem} title="Le reçu n’a pas pu être envoyé." />
    </Stack>
  );
}
