// Whether a part of the screen is near what is seen: what it shows is asked for only then.
import { type RefObject, useEffect, useState } from "react";

/** True from the moment the element is about to be seen, and for ever after. */
export function useNear(place: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || near) return;
    const watcher = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: "150px 0px" },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [place, near]);
  return near;
}
