// The steps of the form, each loaded when it is come to: a file field and a phone field are heavy.
import { lazy } from "react";

export const AnswerForm = lazy(async () => ({
  default: (await import("./answer-form.tsx")).AnswerForm,
}));
export const CompanyStep = lazy(async () => ({
  default: (await import("./company-step.tsx")).CompanyStep,
}));
export const RepresentativeStep = lazy(async () => ({
  default: (await import("./representative-step.tsx")).RepresentativeStep,
}));
export const DocumentsStep = lazy(async () => ({
  default: (await import("./documents-step.tsx")).DocumentsStep,
}));
export const CodeStep = lazy(async () => ({ default: (await import("./code-step.tsx")).CodeStep }));
export const SummaryStep = lazy(async () => ({
  default: (await import("./summary-step.tsx")).SummaryStep,
}));
