// The QR code of a pass, large. It is valid until the pass ends, is suspended or replaced, so the one
// read last is shown while the network does not answer.
import { useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { answerOptions } from "#web/app/transport/answers.ts";
import { CodeWait } from "#web/ui/code-wait.tsx";
import { PresentedCode } from "#web/ui/presented-code.tsx";
import { Loaded } from "#web/ui/state.tsx";

export function PassQr({ id, holder, when }: { id: string; holder: string; when: string }) {
  const code = useQuery({
    ...answerOptions(api.passes.qr, { pass: id }),
    staleTime: 0,
    gcTime: 24 * 3_600_000,
  });
  return (
    <Loaded answer={code} {...passQrWait} failed="Le QR code n’a pas pu être affiché.">
      {({ token }) => (
        <PresentedCode
          text={token}
          label="QR code du titre, à présenter à bord"
          holder={holder}
          when={when}
        />
      )}
    </Loaded>
  );
}

/** The place of the code. */
export const passQrWait = {
  label: "Préparation du QR code…",
  skeleton: <CodeWait />,
};
