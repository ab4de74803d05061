// One frame for the camera and the verdict. The verdict takes the place of the picture, which goes on beside
// it, smaller: the next card is read at once, and takes the place of the verdict.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { ofName } from "#contract/french.ts";
import { verdictSeconds } from "#contract/meal-service/limits.ts";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { useCameraPermission } from "#web/signed-codes/camera-permission.ts";
import { Camera } from "#web/signed-codes/camera.tsx";
import { codeIn, useHandReader } from "#web/signed-codes/hand-reader.ts";
import { Button } from "#web/ui/button.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Row } from "#web/ui/stack.tsx";
import {
  asksForDecision,
  type CounterReading,
  currentReading,
  dismiss,
  read,
  undo,
} from "./counter-state.ts";
import { canUndo, storedScans } from "./scan-queue.ts";
import { VerdictPanel } from "./verdict-panel.tsx";
import { toneOf } from "./verdict-tones.ts";
import styles from "./counter.module.css";

/** `words` and `help` stand where nobody has been read; outside the service the camera waits for a press. */
export function CounterFrame({
  isServing,
  words,
  help,
  action,
}: {
  isServing: boolean;
  words: ReactNode;
  help?: ReactNode;
  action?: ReactNode;
}) {
  const reading = useObserved(currentReading);
  const permission = useCameraPermission();
  const [isOpened, setIsOpened] = useState(false);
  const [isRefused, setIsRefused] = useState(false);
  const [openings, setOpenings] = useState(0);
  const [isTyping, setIsTyping] = useState(false);
  const frame = useRef<HTMLElement>(null);
  const undoing = useRef<HTMLButtonElement>(null);
  useDismissal(reading, undoing);
  useHandReader(readText);
  // It stays open when the service ends while somebody is served.
  if (isServing && permission === "granted" && !isOpened) setIsOpened(true);
  // Once it was refused too: the person allows it in the browser, or another window lets it go.
  const canOpen = (!isOpened || isRefused) && (permission === "prompt" || permission === "granted");
  const isFirst = reading === null && isServing && !isRefused;
  // What was pressed goes: the keyboard stays here, and nothing scrolls.
  const takeFocus = () => frame.current?.focus({ preventScroll: true });
  const open = () => {
    setIsOpened(true);
    setIsRefused(false);
    setOpenings(openings + 1);
    takeFocus();
  };
  return (
    <section
      ref={frame}
      tabIndex={-1}
      className={styles.frame}
      aria-label="Passage"
      data-tone={reading ? toneOf(reading.verdict, reading.person) : undefined}
      data-read={reading ? true : undefined}
      data-closed={(!isOpened && (!isServing || permission === "none")) || undefined}
    >
      <VerdictPanel {...{ reading, words, help, action }} onLeft={takeFocus} />
      {isOpened && (
        <div className={styles.camera} data-refused={isRefused || undefined}>
          <Camera
            key={openings}
            onCode={readText}
            instead="ou servez par numéro ou par la liste"
            onRefused={() => {
              setIsRefused(true);
              setIsTyping(true);
            }}
          />
        </div>
      )}
      {canOpen && isFirst && permission === "prompt" && (
        <button type="button" className={styles.openCamera} onClick={open}>
          Ouvrir l’appareil photo
        </button>
      )}
      <div className={styles.ways}>
        <Row gap={8}>
          {canOpen && !isFirst && (
            <Button size="small" icon="qr" onClick={open}>
              Ouvrir l’appareil photo
            </Button>
          )}
          <Button
            size="small"
            icon="card"
            aria-expanded={isTyping}
            onClick={() => setIsTyping(!isTyping)}
          >
            Numéro
          </Button>
          {reading && <Undo ref={undoing} reading={reading} onUndone={takeFocus} />}
        </Row>
      </div>
      {isTyping && <ByNumber />}
    </section>
  );
}

/**
 * A verdict that asks for nothing goes by itself: the next person finds the counter as they need it. It waits while
 * the keyboard is on the button that undoes it.
 */
function useDismissal(
  reading: CounterReading | null,
  undoing: RefObject<HTMLButtonElement | null>,
): void {
  useEffect(() => {
    if (!reading || asksForDecision(reading)) return;
    const isHeld = () => undoing.current !== null && undoing.current === document.activeElement;
    const timer = setInterval(() => {
      if (!isHeld()) dismiss(reading);
    }, verdictSeconds * 1000);
    return () => clearInterval(timer);
  }, [reading, undoing]);
}

/** What a camera or a hand reader gives, or a hand types: a code, else a number. */
function readText(text: string): void {
  const number = Number(text.replaceAll(/\s/g, ""));
  void read(Number.isSafeInteger(number) ? { number } : { token: codeIn(text) ?? text.trim() });
}

function ByNumber() {
  const place = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  useEffect(() => {
    place.current?.querySelector("input")?.focus({ preventScroll: true });
  }, []);
  const serve = () => {
    if (typed.trim() === "") return;
    readText(typed);
    setTyped("");
  };
  return (
    <div ref={place} className={styles.number}>
      <TextInput
        label="Numéro de carte, ou code d’un lecteur"
        value={typed}
        onValue={setTyped}
        // A hand reader ends what it types with this key.
        onKeyDown={({ key }) => key === "Enter" && serve()}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
      />
      <Button kind="primary" icon="check" onClick={serve}>
        Servir
      </Button>
    </div>
  );
}

/** The scan in view, while it can be undone: the list of the last five minutes has the others. */
function Undo({
  ref,
  reading: { scan },
  onUndone,
}: {
  ref: RefObject<HTMLButtonElement | null>;
  reading: CounterReading;
  onUndone: () => void;
}) {
  const item = useObserved(storedScans).find((one) => one.scan.id === scan.id);
  if (!item || !canUndo(item)) return null;
  const act = () => {
    void undo(item);
    onUndone();
  };
  return (
    <Button ref={ref} size="small" icon="back" onClick={act}>
      Annuler<span className="unseen"> le passage {ofName(item.name)}</span>
    </Button>
  );
}
