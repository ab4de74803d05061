// Unsaved input of the screen. A form declares that it holds some; whatever is about to remove the form (a
// dialog that closes, a tab, the router) asks the person first.
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";

/** A part of the screen that goes away as one: a dialog, the panel of a tab. */
interface Region {
  within: Region | null;
}

/** A form with unsaved values. */
interface Holder {
  region: Region | null;
  isUnsaved: () => boolean;
}

const RegionContext = createContext<Region | null>(null);
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
let holders: readonly Holder[] = [];
/** Whether to leave, asked of the person. */
interface Question {
  number: number;
  answer: (leaves: boolean) => void;
  answered: Promise<boolean>;
}
let question: Question | null = null;
let lastNumber = 0;
let isAsking = true;

const tell = () => {
  for (const listener of listeners) listener();
};
function setHolders(next: readonly Holder[]): void {
  holders = next;
  tell();
}
function setQuestion(next: Question | null): void {
  question = next;
  tell();
}

const isInside = (region: Region | null, outer: Region | null): boolean =>
  outer === null || region === outer || (region !== null && isInside(region.within, outer));

const unsavedIn = (region: Region | null) =>
  holders.filter((holder) => isInside(holder.region, region) && holder.isUnsaved());

/** Whether anything typed in this region (`null`: on the whole screen) would be lost. */
export const hasUnsaved = (region: Region | null): boolean => unsavedIn(region).length > 0;

/** True when nothing would be lost, or when the person gives it up; asks them where something would. */
export async function mayLeave(region: Region | null): Promise<boolean> {
  // One question at a time.
  if (question) {
    await question.answered;
    return await mayLeave(region);
  }
  if (!isAsking || !hasUnsaved(region)) return true;
  const { promise: answered, resolve: answer } = Promise.withResolvers<boolean>();
  setQuestion({ number: ++lastNumber, answer, answered });
  const leaves = await answered;
  setQuestion(null);
  if (leaves) {
    const discarded = new Set(unsavedIn(region));
    setHolders(holders.filter((holder) => !discarded.has(holder)));
  }
  return leaves;
}

/** The question cannot be shown, as its code could not be loaded: whoever leaves does so as before. */
export function stopAsking(): void {
  isAsking = false;
}

/** Makes the children a region of their own: what is typed in them goes when they do. */
export function useRegion(): [Region, (children: ReactNode) => ReactNode] {
  const within = useContext(RegionContext);
  const [region] = useState<Region>(() => ({ within }));
  return [region, (children) => <RegionContext value={region}>{children}</RegionContext>];
}

/** Says that the values of a form are unsaved while `isChanged`; `isUnsaved` says whether they still are. */
export function useUnsaved(isChanged: boolean, isUnsaved: () => boolean): void {
  const region = useContext(RegionContext);
  const latest = useRef(isUnsaved);
  useEffect(() => {
    latest.current = isUnsaved;
  });
  useEffect(() => {
    if (!isChanged) return undefined;
    const holder: Holder = { region, isUnsaved: () => latest.current() };
    setHolders([...holders, holder]);
    return () => setHolders(holders.filter((other) => other !== holder));
  }, [isChanged, region]);
}

/** Whether a form of the screen holds unsaved values: what asks before leaving is needed. */
export const useHasUnsaved = (): boolean =>
  useSyncExternalStore(subscribe, () => holders.length > 0);

/** The question that is open; null while none is. */
export const useLeaveQuestion = (): Question | null =>
  useSyncExternalStore(subscribe, () => question);
