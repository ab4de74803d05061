/** A file that an e-mail carries. */
export interface Attachment {
  filename: string;
  contentType: string;
  base64: string;
}
