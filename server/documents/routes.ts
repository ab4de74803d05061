import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { discardDocument, readDocument, uploadDocument } from "./documents.ts";

export const documentRoutes = routes("documents", api.documents, {
  upload: uploadDocument,
  read: ({ deps, caller, input }) => readDocument(deps.db, caller.personId, input.id),
  discard: ({ deps, caller, input }) => discardDocument(deps.db, caller.personId, input.id),
});
