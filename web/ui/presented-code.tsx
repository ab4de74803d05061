// A code that is presented to a reader: the screen stays lit while it is there, and a press shows it alone on white,
// as large as the screen. A page cannot raise the brightness: that view says to.
import { useState } from "react";
import { Button } from "./button.tsx";
import { FullScreen } from "./dialog.tsx";
import { QrCode } from "./qr.tsx";
import { useWakeLock } from "./wake-lock.ts";
import "./presented-code.css";

/** `label` says what the code is for; `holder`, and `when` it is good, stand beside it alone on the screen. */
export function PresentedCode({
  text,
  label,
  holder,
  when,
}: {
  text: string;
  label: string;
  holder: string;
  when?: string;
}) {
  const [isLarge, setIsLarge] = useState(false);
  useWakeLock();
  const close = () => setIsLarge(false);
  return (
    <div className="presented-code">
      <QrCode text={text} label={label} />
      <button type="button" className="presented-code-enlarge" onClick={() => setIsLarge(true)}>
        Agrandir le code
      </button>
      <FullScreen open={isLarge} onClose={close} label={label}>
        <div className="code-alone" data-theme="light">
          <QrCode text={text} label={label} />
          <div>
            <p className="code-alone-holder">{holder}</p>
            {when && <p className="code-alone-when">{when}</p>}
          </div>
          <p>S’il n’est pas lu, augmentez la luminosité de l’écran.</p>
          <Button data-focus-first onClick={close}>
            Fermer
          </Button>
        </div>
      </FullScreen>
    </div>
  );
}
