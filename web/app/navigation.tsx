// Where one is and how one goes elsewhere, as screens see it; and the frame in which they are drawn.
import {
  Component,
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
} from "react";
import type { Location } from "./history.ts";
import type { Values } from "./matching.ts";
import type { Destination, Router, Shown } from "./router-core.ts";
import type { Layout } from "./route-entry.ts";
import { useObserved } from "./use-observed.ts";

export interface FailedProps {
  reset: () => void;
}

export interface Drawn {
  /** Around everything, offline page included. */
  root: ComponentType;
  layouts: Readonly<Record<Layout, ComponentType>>;
  pending: ComponentType;
  failed: ComponentType<FailedProps>;
  /** A screen was drawn. */
  onShown: (shown: Shown) => void;
}

const Current = createContext<Router | null>(null);
const Inner = createContext<ReactNode>(null);

/** What stands inside the frame: the layout in the root, the screen in the layout. */
export const Outlet = () => use(Inner);

export function Navigation({ router, drawn }: { router: Router; drawn: Drawn }) {
  const shown = useObserved(router.shown);
  useLayoutEffect(() => {
    if (shown?.screen) drawn.onShown(shown);
  }, [shown, drawn]);
  const inside = useMemo(
    () =>
      shown && (
        <Boundary shown={shown} failed={drawn.failed}>
          <Inside shown={shown} drawn={drawn} />
        </Boundary>
      ),
    [shown, drawn],
  );
  return (
    <Current value={router}>
      <Inner value={inside}>
        <drawn.root />
      </Inner>
    </Current>
  );
}

/** The layout with the screen in it. */
function Inside({ shown, drawn }: { shown: Shown; drawn: Drawn }) {
  const Around = drawn.layouts[shown.entry.layout];
  const screen = useMemo(
    () => (
      <Boundary shown={shown} failed={drawn.failed}>
        <Suspense fallback={<drawn.pending />}>
          <Screen shown={shown} pending={drawn.pending} />
        </Suspense>
      </Boundary>
    ),
    [shown, drawn],
  );
  return (
    <Inner value={screen}>
      <Around />
    </Inner>
  );
}

function Screen({ shown, pending }: { shown: Shown; pending: ComponentType }): ReactNode {
  if (shown.failure) throw shown.failure.error;
  const Shows = shown.screen ?? pending;
  return <Shows key={shown.entry.path} />;
}

interface BoundaryProps {
  /** The next navigation tries again by itself. */
  shown: Shown;
  failed: ComponentType<FailedProps>;
  children: ReactNode;
}

/** A screen that breaks leaves its frame standing. */
class Boundary extends Component<BoundaryProps, { broken: boolean; shown: Shown }> {
  static getDerivedStateFromError = () => ({ broken: true });
  static getDerivedStateFromProps = ({ shown }: BoundaryProps, state: { shown: Shown }) =>
    shown === state.shown ? null : { broken: false, shown };
  static override contextType = Current;
  override state = { broken: false, shown: this.props.shown };

  reset = () => {
    // What could not be loaded is asked for again.
    if (this.props.shown.failure) void (this.context as Router | null)?.load();
    else this.setState({ broken: false });
  };

  override render(): ReactNode {
    const { failed: Failed, children } = this.props;
    return this.state.broken ? <Failed reset={this.reset} /> : children;
  }
}

export function useRouter(): Router {
  const router = use(Current);
  if (!router) throw new Error("no router around this");
  return router;
}

/** Goes elsewhere; ends when the screen there is shown. */
export const useNavigate = (): Router["navigate"] => useRouter().navigate;

/** The address of what is shown. */
export function useLocation(): Location {
  const router = useRouter();
  return useObserved(router.shown)?.location ?? router.location();
}

const none: Values = {};

/** The parameters in the path of what is shown. */
export const useParams = (): Partial<Values> => useObserved(useRouter().shown)?.params ?? none;

/** Goes elsewhere as soon as it is drawn, instead of what stands here. */
export function Navigate(destination: Destination): null {
  const navigate = useNavigate();
  const leave = useEffectEvent(() => void navigate(destination));
  useEffect(() => leave(), []);
  return null;
}
