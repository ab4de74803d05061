// The sale under way: what it costs, and the card that pays it. A card is charged once the cashier has pressed
// « Encaisser » and its code is read, in whichever order: no card is charged an amount that is half typed.
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { formatMoney } from "#contract/french.ts";
import { codeKinds } from "#contract/signed-codes/kinds.ts";
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

const BasketDialog = lazy(async () => ({
  default: (await import("./basket-dialog.tsx")).BasketDialog,
}));

type Keys = "keypad" | "articles";

/** How this till is worked, from one sale to the next. */
export interface Way {
  /** What a narrow screen shows. */
  keys: Keys;
  /** `refused`: no camera gives a picture here. */
  camera: "closed" | "open" | "refused";
}

export function SaleForm({
  counter,
  typed,
  onTyped,
  decides,
  isNext,
  usedCode,
  way,
  onWay,
  onSold,
}: {
  counter: TillCounter;
  typed: TypedSale;
  onTyped: (typed: TypedSale) => void;
  decides: boolean;
  /** It follows another: the keyboard stands at the amount. */
  isNext: boolean;
  /** The code that paid the sale before: its phone may still be in view. */
  usedCode: string | null;
  way: Way;
  onWay: (way: Way) => void;
  onSold: (sold: Sold, code: string | undefined) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [typesNumber, setTypesNumber] = useState(false);
  const [showsBasket, setShowsBasket] = useState(false);
  const [number, setNumber] = useState("");
  const [showErrors, setShowErrors] = useState(false);
  const [isArmed, setIsArmed] = useState(false);
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
  const isCameraRefused = way.camera === "refused";
  const hasCamera = !isCameraRefused && (permission === "granted" || way.camera === "open");

  // A second press comes before the first is drawn; a request sent again is a charge under way too.
  const isBusy = () => isSending.current || charging.isPending;
  const change = (part: Partial<TypedSale>) => {
    setIsArmed(false);
    onTyped({ ...typed, ...part });
  };
  const refuse = () => {
    setShowErrors(true);
    setTypesNumber(false);
    onWay({ ...way, keys: "keypad" });
    field.current?.focus();
  };
  const send = (text: string) => {
    if (isBusy()) return;
    if (fault !== null || amountCents === null) return refuse();
    if (text.trim() === "") return;
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
    // The field of the number goes.
    if (typesNumber) field.current?.focus();
    setTypesNumber(false);
    setIsArmed(false);
    dropCode();
  };
  const act = () => {
    if (isBusy()) return;
    if (fault !== null) return refuse();
    if (typesNumber && number.trim() !== "") return send(number);
    if (code !== null) return send(code);
    setIsArmed(true);
    if (!hasCamera) setTypesNumber(true);
  };
  const readByCamera = (text: string) => {
    if (isArmed) send(text);
    else if (text.startsWith(codeKinds.card) && text !== usedCode) keepCode(text);
  };
  const forgetCard = () => {
    dropCode();
    field.current?.focus();
  };
  const cancel = () => {
    dropCode();
    if (isArmed || typesNumber) {
      setIsArmed(false);
      setTypesNumber(false);
      field.current?.focus();
    } else change({ entry: "" });
  };
  const changeLines = (lines: TypedSale["lines"]) => {
    change({ lines });
    if (lines.length > 0 || !showsBasket) return;
    setShowsBasket(false);
    field.current?.focus();
  };
  const keys = useSaleKeys({
    entry: typed.entry,
    onEntry: (entry) => change({ entry }),
    onAct: act,
    onCancel: cancel,
    onCode: send,
  });
  const showsCamera = isArmed && hasCamera && !typesNumber;
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
            ? `À payer après la remise de ${formatMoney(amountCents - priceCents)}\u202f: ${formatMoney(priceCents)}`
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
                  onWay({ ...way, camera: "refused" });
                  setTypesNumber(true);
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
            onClick={() => onWay({ ...way, camera: "open" })}
          >
            Ouvrir l’appareil photo
          </button>
        )
      )}
      <ChangedPrices typed={typed} articles={articles} onLines={changeLines} />
      <div className={styles.work} data-view={typesNumber ? "number" : way.keys}>
        {choosesArticles && !typesNumber && (
          <div className={styles.views}>
            <Chips
              label="Ce que l’on touche"
              options={views}
              value={[way.keys]}
              onValue={(chosen) => onWay({ ...way, keys: chosen })}
            />
          </div>
        )}
        {typesNumber ? (
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
                    onLines={changeLines}
                    mayEdit={decides && online}
                  />
                </Suspense>
              </div>
            )}
          </>
        )}
      </div>
      <Row gap={8} spread>
        {isArmed || typesNumber ? (
          <Button size="small" kind="ghost" icon="back" onClick={cancel}>
            Modifier l’achat
          </Button>
        ) : (
          <Button size="small" kind="ghost" icon="card" onClick={() => setTypesNumber(true)}>
            Saisir le numéro
          </Button>
        )}
        {code !== null && (
          <Button size="small" kind="ghost" icon="close" onClick={forgetCard}>
            Oublier la carte lue
          </Button>
        )}
        <SaleDetails typed={typed} takesPoints={counter.takesPoints && online} onChange={change} />
      </Row>
      <FootBar
        summary={
          typed.lines.length > 0 ? (
            <BasketCount lines={typed.lines} onOpen={() => setShowsBasket(true)} />
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
      {showsBasket && (
        <Suspense>
          <BasketDialog
            lines={typed.lines}
            onLines={changeLines}
            onClose={() => setShowsBasket(false)}
          />
        </Suspense>
      )}
    </section>
  );
}

const views: readonly { value: Keys; label: string }[] = [
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
