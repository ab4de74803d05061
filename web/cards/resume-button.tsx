// The button that resumes a suspended card.
import type { ReactNode } from "react";
import { Button } from "#web/ui/button.tsx";
import { useResume } from "./card-actions.ts";

export function ResumeButton({
  cardnumber,
  children,
}: {
  cardnumber: number;
  children: ReactNode;
}) {
  const resume = useResume();
  return (
    <Button size="small" loading={resume.isPending} onClick={() => resume.send({ cardnumber })}>
      {children}
    </Button>
  );
}
