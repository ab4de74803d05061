// The sale under way: what it costs, and the card that pays it. A card is charged once the cashier has pressed
// « Encaisser » and its code is read, in whichever order: no card is charged an amount that is half typed.
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { formatMoney } from "#contract/french.ts";
import { discountOf, offlineTill, till as limits } from "#contract/till/limits.ts";
import type { TillCounter } from "#contract/till/rows.ts";
import { useCameraPermission } from "#web/signed-codes/camera-permission.ts";
import { useServerUnreachable } from "#web/app/transport/server-answers.ts";
import { Button } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { FootBar } from "#web/ui/foot-bar.tsx";
import { Row } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { changeEntry } from "./amount-entry.ts";
import { AmountField } from "./amount-field.tsx";
import { saleCents, type TypedSale } from "./basket.ts";
import { BasketCount, ChangedPrices } from "./basket-lines.tsx";
import { type Sold, useCharging } from "./charging.ts";
import { Keypad } from "./keypad.tsx";
import { SaleDetails } from "./sale-details.tsx";
import { termsOf } from "./till-words.ts";
import { useArticles } from "./use-articles.ts";
import { useReadCode } from "./use-read-code.ts";
import { useSaleKeys } from "./use-sale-keys.ts";
import styles from "./sale.module.css";

const Camera = lazy(async () => ({
  default: (await import("#web/signed-codes/camera.tsx")).Camera,
}));
const CardNumber = lazy(async () => ({
  default: (await import("./card-number.tsx")).CardNumber,
}));
const ChargeVerdict = lazy(async () => ({
  default: (await import("./charge-verdict.tsx")).ChargeVerdict,
}));
const ArticleKeys = lazy(async () => ({
  default: (await import("./article-keys.tsx")).ArticleKeys,
}));

type View = "keypad" | "articles" | "number";

export function SaleForm({
  counter,
  typed,
  onTyped,
  decides,
  isNext,
  onSold,
}: {
  counter: TillCounter;
  typed: TypedSale;
  onTyped: (typed: TypedSale) => void;
  decides: boolean;
  /** It follows another: the keyboard stands at the amount. */
  isNext: boolean;
  onSold: (sold: Sold) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [view, setView] = useState<View>("keypad");
  const [number, setNumber] = useState("");
  const [showErrors, setShowErrors] = useState(false);
  const [isArmed, setIsArmed] = useState(false);
  const [isCameraOpened, setIsCameraOpened] = useState(false);
  const [isCameraRefused, setIsCameraRefused] = useState(false);
  const permission = useCameraPermission();
  const online = !useServerUnreachable();
  const { articles } = useArticles();
  const { code, keepCode, dropCode } = useReadCode();
  const charging = useCharging(counter, onSold);
  const isSending = useRef(false);
  useEffect(() => {
    if (isNext) field.current?.focus();
  }, [isNext]);

  const amountCents = saleCents(typed);
  const fault = faultOf(amountCents, online);
  const priceCents = (amountCents ?? 0) - discountOf(amountCents ?? 0, counter.discountPercent);
  const hasCamera = !isCameraRefused && (permission === "granted" || isCameraOpened);

  const change = (part: Partial<TypedSale>) => {
    setIsArmed(false);
    onTyped({ ...typed, ...part });
  };
  const refuse = () => {
    setShowErrors(true);
    setView("keypad");
    field.current?.focus();
  };
  const send = (text: string) => {
    if (fault !== null || amountCents === null) return refuse();
    // A second press comes before the first is drawn.
    if (isSending.current || text.trim() === "") return;
    isSending.current = true;
    const cardnumber = Number(text.replaceAll(/\s/g, ""));
    const { label, lines, usePoints } = typed;
    charging.mutate(
      {
        offline: !online,
        id: crypto.randomUUID(),
        partner: counter.id,
        amountCents,
        ...(label.trim() && { label: label.trim() }),
        ...(lines.length > 0 && {
          lines: lines.map(({ name, priceCents: cents, count }) => ({
            name,
            priceCents: cents,
            count,
          })),
        }),
        ...(usePoints && online && { usePoints }),
        ...(Number.isSafeInteger(cardnumber) ? { cardnumber } : { token: text.trim() }),
      },
      { onSettled: () => (isSending.current = false) },
    );
    setNumber("");
    setView(view === "number" ? "keypad" : view);
    setIsArmed(false);
    dropCode();
  };
  const act = () => {
    if (isSending.current) return;
    if (fault !== null) return refuse();
    if (view === "number" && number.trim() !== "") return send(number);
    if (code !== null) return send(code);
    setIsArmed(true);
    if (!hasCamera) setView("number");
  };
  const readByCamera = (text: string) => {
    if (isArmed) send(text);
    else keepCode(text);
  };
  const cancel = () => {
    if (isArmed || view === "number") {
      setIsArmed(false);
      setView("keypad");
      field.current?.focus();
    } else change({ entry: "" });
  };
  const keys = useSaleKeys({
    entry: typed.entry,
    onEntry: (entry) => change({ entry }),
    onAct: act,
    onCancel: cancel,
    onCode: send,
  });
  const showsCamera = isArmed && hasCamera && view !== "number";
  const choosesArticles = decides || articles.some(({ active }) => active);
  return (
    <section
      className={styles.sale}
      aria-label="Achat en cours"
      data-armed={showsCamera || undefined}
    >
      {!charging.isIdle && (
        <Suspense>
          <ChargeVerdict charging={charging} />
        </Suspense>
      )}
      <AmountField
        ref={field}
        typed={typed}
        error={showErrors && fault}
        hint={
          counter.discountPercent > 0 && amountCents !== null && !fault
            ? `À payer après la remise de ${formatMoney(amountCents - priceCents)}\u00a0: ${formatMoney(priceCents)}`
            : termsOf(counter)
        }
        onKeyDown={keys.pressInField}
        onText={(text) => change({ entry: changeEntry(typed.entry, text) })}
      />
      {hasCamera || permission === "unknown" ? (
        <div className={styles.camera}>
          {hasCamera && (
            <Suspense>
              <Camera
                onCode={readByCamera}
                instead="ou saisissez le numéro de la carte"
                onRefused={() => {
                  setIsCameraRefused(true);
                  setView("number");
                }}
              />
            </Suspense>
          )}
        </div>
      ) : (
        permission === "prompt" &&
        !isCameraRefused && (
          <button
            type="button"
            className={styles.openCamera}
            onClick={() => setIsCameraOpened(true)}
          >
            Ouvrir l’appareil photo
          </button>
        )
      )}
      <ChangedPrices typed={typed} articles={articles} onLines={(lines) => change({ lines })} />
      <div className={styles.work} data-view={view}>
        {choosesArticles && view !== "number" && (
          <div className={styles.views}>
            <Chips
              label="Ce que l’on touche"
              options={views}
              value={[view]}
              onValue={(chosen) => setView(chosen)}
            />
          </div>
        )}
        {view === "number" ? (
          <Suspense fallback={<Skeleton lines={2} height="3rem" />}>
            <CardNumber
              value={number}
              onValue={setNumber}
              onEnter={act}
              onCancel={cancel}
              isOnline={online}
              isCameraRefused={isCameraRefused}
            />
          </Suspense>
        ) : (
          <>
            <Keypad onKey={keys.type} />
            {choosesArticles && (
              <div className={styles.articles}>
                <Suspense fallback={<Skeleton lines={3} height="3.5rem" />}>
                  <ArticleKeys
                    articles={articles}
                    lines={typed.lines}
                    onLines={(lines) => change({ lines })}
                    mayEdit={decides && online}
                  />
                </Suspense>
              </div>
            )}
          </>
        )}
      </div>
      <Row gap={8} spread>
        {isArmed || view === "number" ? (
          <Button size="small" kind="ghost" icon="back" onClick={cancel}>
            Modifier l’achat
          </Button>
        ) : (
          <Button size="small" kind="ghost" icon="card" onClick={() => setView("number")}>
            Saisir le numéro
          </Button>
        )}
        <SaleDetails typed={typed} takesPoints={counter.takesPoints && online} onChange={change} />
      </Row>
      <FootBar
        summary={
          typed.lines.length > 0 ? (
            <BasketCount typed={typed} onLines={(lines) => change({ lines })} />
          ) : (
            cardWords({ code, isArmed, amountCents })
          )
        }
        hint={typed.lines.length > 0 && cardWords({ code, isArmed, amountCents })}
      >
        <Button kind="primary" loading={charging.isPending} onClick={act}>
          {amountCents === null ? "Encaisser" : `Encaisser ${formatMoney(priceCents)}`}
        </Button>
      </FootBar>
    </section>
  );
}

const views: readonly { value: View; label: string }[] = [
  { value: "keypad", label: "Clavier" },
  { value: "articles", label: "Articles" },
];

const cardWords = ({
  code,
  isArmed,
  amountCents,
}: {
  code: string | null;
  isArmed: boolean;
  amountCents: number | null;
}): string => {
  if (code !== null) return "Carte lue";
  if (isArmed) return "Présentez la carte";
  return amountCents === null ? "Nouvel achat" : "Carte à lire";
};

function faultOf(cents: number | null, online: boolean): string | null {
  if (cents === null) return "Indiquez le montant de l’achat.";
  if (cents < limits.minCents) return `Le montant commence à ${formatMoney(limits.minCents)}.`;
  if (!online && cents > offlineTill.chargeCents) {
    return `Hors connexion, un achat ne dépasse pas ${formatMoney(offlineTill.chargeCents)}.`;
  }
  return cents > limits.maxCents
    ? `Un achat ne dépasse pas ${formatMoney(limits.maxCents)}.`
    : null;
}
