import { useEffect, useState } from "react";

const tickMs = 15_000;

/** The time of the device's clock, updated while the screen is open: services begin and end meanwhile. */
export function useTime(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
