// A screen that stands on a counter alone, without the portal around it: the way there and back. Meanwhile the device
// does not go dark. The address says the mode, which the shell reads.
import { Button } from "#web/ui/button.tsx";
import { useWakeLock } from "#web/ui/wake-lock.ts";

/** `enter` and `leave` are its names: « Mode caisse », « Quitter le mode caisse ». */
export const KioskButton = ({
  isAlone,
  enter,
  leave,
  onAlone,
}: {
  isAlone: boolean;
  enter: string;
  leave: string;
  onAlone: (isAlone: boolean) => void;
}) => (
  <>
    <Button
      size="small"
      kind="ghost"
      icon={isAlone ? "close" : "screen"}
      onClick={() => onAlone(!isAlone)}
    >
      {isAlone ? leave : enter}
    </Button>
    {isAlone && <AwakeScreen />}
  </>
);

function AwakeScreen(): null {
  useWakeLock();
  return null;
}
