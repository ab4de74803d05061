// Addresses of pages: the portal itself says what each leads to, or that it leads nowhere.

/** Whether a request is for a page: not for the API, nor for a file of the build. */
export const isPage = (method: string, path: string): boolean =>
  method === "GET" && !path.startsWith("/api/") && !path.startsWith("/assets/");
