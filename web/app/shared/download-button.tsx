// A button that fetches a document of the API and hands it to the person as a file.
import type { ReactNode } from "react";
import type { Input, Row } from "#contract/endpoint.ts";
import { type ApiProblem, call, type Download } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { save } from "./save.ts";

type DownloadRow = Row & { reply: "pdf" | "csv" | "calendar" | "file" };

/** Fetches a document of the API and hands it to the person as a file; for a button of one's own. */
export function useDownload<R extends DownloadRow>(
  row: R,
  input: Input<R>,
  onRefused?: (problem: ApiProblem) => void,
) {
  const { send, ...download } = useDownloads(row, onRefused);
  return { ...download, send: () => send(input) };
}

/** The same for a list of documents: `send` takes the input of one. */
export function useDownloads<R extends DownloadRow>(
  row: R,
  onRefused?: (problem: ApiProblem) => void,
) {
  return useAction(
    async (input: Input<R>) => save((await call(row, input)) as Download),
    onRefused && { onRefused },
  );
}

/** `failed` is the title of the banner under the button when the document could not be had. */
export function DownloadButton<R extends DownloadRow>({
  row,
  input,
  failed,
  icon = "document",
  size = "normal",
  kind = "secondary",
  children,
}: {
  row: R;
  input: Input<R>;
  failed: string;
  icon?: "document" | "download";
  size?: "normal" | "small";
  kind?: "secondary" | "ghost";
  children: ReactNode;
}) {
  const fetched = useDownload(row, input);
  return (
    <>
      <Button
        size={size}
        kind={kind}
        icon={icon}
        loading={fetched.isPending}
        onClick={() => fetched.send()}
      >
        {children}
      </Button>
      <ProblemBanner problem={fetched.problem} title={failed} />
    </>
  );
}
