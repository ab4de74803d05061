// Page addresses: the portal itself decides where each leads, or that it is not found.

/** Whether a request is for a page: not for the API, nor for a file of the build. */
export const isPage = (method: string, path: string): boolean =>
  method === "GET" && !path.startsWith("/api/") && !path.startsWith("/assets/");
