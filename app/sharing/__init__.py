"""Links to programs: short ones, QR codes, embedding, oEmbed. What is shared is source; whoever opens it runs it anew."""
