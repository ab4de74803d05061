-- A gift link may bear a word for whoever opens it, and thanks that are read once the money has arrived.
alter table gift_link
  add column word text,
  add column thanks text,
  add constraint gift_link_words check (char_length(word) <= 140 and char_length(thanks) <= 140);
