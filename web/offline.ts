// What the shell shows of a room without knowing it: on the page of a lost connection, what this browser
// kept to show without network (décision 6).

const notKept = () => "Vos titres ne sont pas encore gardés sur cet appareil.";

/** On a first visit the worker may not have kept the screen itself yet: then it says so. */
export const offlineTitles = () =>
  import("./tickets/offline-titles.tsx").then(
    ({ OfflineTitles }) => OfflineTitles,
    () => notKept,
  );
