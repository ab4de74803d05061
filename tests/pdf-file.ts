// The smallest PDF with a page; `mark` makes one different from another.
export const pdfFile = (mark: string | number = ""): Buffer =>
  Buffer.from(`%PDF-1.4
%${mark}
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`);
