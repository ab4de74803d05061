// Designed states: nothing here, something broke, still loading, done. Each with a way out.
import type { ReactNode } from "react";
import { type Tone } from "./banner.tsx";
import { Button } from "./button.tsx";
import type { IconName } from "./icon.tsx";
import { useTitlePart } from "./page-title.ts";
import { Picture } from "./picture.tsx";
import "./state.css";

export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <Picture icon={icon} />
      <p className="state-title">{title}</p>
      {children && <div className="state-text">{children}</div>}
      {action}
    </div>
  );
}

/** What could not be shown, with the server's own sentence and the way to ask again. */
export function ErrorState({
  title = "Ces informations n’ont pas pu être chargées.",
  answer,
  message = answer?.error?.message,
}: {
  title?: string | undefined;
  /** The answer that failed, to be asked for again: what `useAnswer` gives. */
  answer?: { error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** Other words than those of its error. */
  message?: ReactNode;
}) {
  return (
    <div className="state" role="alert">
      <Picture icon="warning" tone="warning" />
      <p className="state-title">{title}</p>
      {message && <div className="state-text">{message}</div>}
      {answer && (
        <Button icon="refresh" loading={answer.isFetching} onClick={() => void answer.refetch()}>
          Réessayer
        </Button>
      )}
    </div>
  );
}

/** A whole page that says what happened: connection lost, not found, paid, refused. */
export function ResultPage({
  icon,
  tone = "neutral",
  title,
  subtitle,
  actions,
  children,
}: {
  icon: IconName;
  tone?: Tone | "neutral";
  title?: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  useTitlePart(title);
  const Subtitle = title ? "p" : "h1";
  return (
    <section className="result">
      <Picture icon={icon} tone={tone} />
      {title && <h1>{title}</h1>}
      {subtitle && <Subtitle className="result-subtitle">{subtitle}</Subtitle>}
      {children && <div className="result-body">{children}</div>}
      {actions && <div className="result-actions">{actions}</div>}
    </section>
  );
}

/** The specification's page of a lost connection: its subtitle, its one outlined red button (§2), then the rest. */
export function OfflinePage({
  onReload,
  children,
}: {
  onReload: () => void;
  children?: ReactNode;
}) {
  return (
    <>
      <ResultPage
        icon="wifiOff"
        tone="danger"
        subtitle="Connexion perdue"
        actions={
          <Button kind="alert" icon="refresh" onClick={onReload}>
            rafraîchir
          </Button>
        }
      />
      {children}
    </>
  );
}

/**
 * The place of what is loading, of the same size as what will come: nothing moves when it does.
 * `height` and `width` are CSS lengths; `lines` repeats the block.
 */
export function Skeleton({
  lines = 1,
  height = "1.5em",
  width = "100%",
  round = false,
}: {
  lines?: number | undefined;
  height?: string | undefined;
  width?: string;
  round?: boolean;
}) {
  return (
    <div className="skeletons" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <div
          // oxlint-disable-next-line react/no-array-index-key -- identical blocks, never reordered
          key={line}
          className="skeleton"
          data-round={round || undefined}
          style={{ height, width: lines > 1 && line === lines - 1 ? "60%" : width }}
        />
      ))}
    </div>
  );
}

/** Says once, to assistive technology, that a part of the screen is loading. */
export function Loading({
  label = "Chargement…",
  children,
}: {
  label?: string | undefined;
  children: ReactNode;
}) {
  return (
    <output className="loading" aria-busy="true">
      <span className="unseen">{label}</span>
      {children}
    </output>
  );
}

/** What a screen waits for: an answer of `useAnswer`, or the pages of `usePages`. */
export interface AwaitedAnswer<Data> {
  data: Data | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
}

export interface Wait {
  /** Said to assistive technology: « Chargement des ventes… ». */
  label?: string | undefined;
  /** The place of what will come: so many blocks of this CSS height, or `skeleton` in their stead. */
  lines?: number | undefined;
  height?: string | undefined;
  skeleton?: ReactNode;
  /** The title of a refusal: « Les ventes n’ont pas pu être chargées. ». */
  failed?: string | undefined;
}

/** Stands where an answer is missing: its place while it loads, else why it did not come and the way to ask again. */
export function NotLoaded({
  answer,
  label,
  lines,
  height,
  skeleton,
  failed,
}: Wait & { answer: AwaitedAnswer<unknown> }) {
  if (answer.error) return <ErrorState title={failed} answer={answer} />;
  return <Loading label={label}>{skeleton ?? <Skeleton lines={lines} height={height} />}</Loading>;
}

/** What an answer shows, once it is there. */
export function Loaded<Data>({
  answer,
  children,
  ...wait
}: Wait & { answer: AwaitedAnswer<Data>; children: (data: Data) => ReactNode }) {
  return answer.data === undefined ? (
    <NotLoaded answer={answer} {...wait} />
  ) : (
    children(answer.data)
  );
}

/** The thin bar at the top of the page while any call is under way (the specification's Loading). */
export function ProgressBar({ busy }: { busy: boolean }) {
  return <div className="progress" data-busy={busy || undefined} aria-hidden="true" />;
}
