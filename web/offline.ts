// What the shell shows of a room without knowing it: on the page of a lost connection, what this browser
// kept to show without network (décision 6).

export const offlineTitles = async () =>
  (await import("./tickets/offline-titles.tsx")).OfflineTitles;
